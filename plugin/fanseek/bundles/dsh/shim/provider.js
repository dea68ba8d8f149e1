/** The provider that ctx.web selects. */

const MARGIN_MS = 2000;
/** What the worker is given less than we wait, so that it answers with a part before it is given up. */

/** `failed` turns a Problem into what the harness expects to be thrown. */
export function provider({ worker, common, timeoutMs, failed }) {
  return {
    id: 'unified',
    available: () => true, // one that can't start says why when it is asked; unavailable would say nothing
    async search({ query, maxResults }, signal) {
      try {
        const whole = { query, timeoutMs: Math.max(timeoutMs - MARGIN_MS, timeoutMs / 2), ...(await common()) };
        const limit = Math.min(maxResults ?? Infinity, whole.settings?.numResults ?? Infinity);
        if (limit < Infinity) whole.maxResults = limit; // the harness always names its own; a person may want fewer
        return resultOf(await worker.request('search', whole, { signal, timeoutMs }));
      } catch (problem) {
        throw failed(problem);
      }
    },
  };
}

/** What the seam knows of an answer, and of that what has the right type. */
export function resultOf(answer) {
  const sources = Array.isArray(answer?.sources) ? answer.sources : [];
  const result = {
    sources: sources.filter((source) => typeof source?.url === 'string').map(sourceOf),
    truncated: answer?.truncated === true,
  };
  return typeof answer?.content === 'string' && answer.content ? { content: answer.content, ...result } : result;
}

function sourceOf(source) {
  const texts = ['url', 'title', 'snippet', 'publishedAt'].filter((name) => typeof source[name] === 'string');
  return Object.fromEntries(texts.map((name) => [name, source[name]]));
}
