/** What went wrong, under one of the codes of the harness's web seam. */

export class Problem extends Error {
  constructor(message, code = 'WEB_PROVIDER_ERROR', cause = undefined) {
    super(message, { cause });
    this.name = 'Problem';
    this.code = code;
  }
}

export const aborted = () => new Problem('the search was stopped', 'WEB_ABORTED');

/** The worker's error object as a Problem. A code that isn't one of the seam's becomes the general one. */
export function told(error) {
  const code = error?.data?.code;
  const message = typeof error?.message === 'string' && error.message ? error.message : 'the search worker failed';
  return new Problem(message, /^WEB_[A-Z_]+$/.test(code ?? '') ? code : 'WEB_PROVIDER_ERROR');
}
