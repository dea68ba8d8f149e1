/**
 * The published executable 0.2.1-rc.2 has a module only where one of the two packages that import it finds it, so that
 * its page loads not. Here the other one finds it, too, and is started once more.
 */

import { registerHooks } from 'node:module';

const MISSING = '@deepseek-ai/dsh-host-directory-picker';
const WANTED_BY = '@deepseek-ai/dsh-api-workspace-controller';
const SCOPE = 'file:///snapshot/node/node_modules/@deepseek-ai/dsh/node_modules/@deepseek-ai';
const HAS_IT = `${SCOPE}/dsh-host-directory-picker-browse/lib/index.js`;

registerHooks({
  resolve: (name, context, next) => next(name, name === MISSING ? { ...context, parentURL: HAS_IT } : context),
});

export const inject = ['loader'];

export function apply(ctx) {
  const entry = [...ctx.loader.entries()].find(({ options }) => options.name === WANTED_BY);
  Promise.resolve(entry._initTask)
    .catch(() => {})
    .then(() => entry.refresh())
    .catch((problem) => console.error(problem));
}
