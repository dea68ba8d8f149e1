/** Fanseek's plugin for DeepSeek Harness: the provider `unified` at ctx.web, asked of a Python worker over a pipe. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resolveDshHome } from '@deepseek-ai/dsh-home-paths';
import { launchEnvironmentOf } from '@deepseek-ai/dsh-launch-environment';
import { WebError } from '@deepseek-ai/dsh-web';
import z from '@deepseek-ai/schemastery';

import { configOf, settingsOf } from './shim/fields.js';
import { keysOf } from './shim/keys.js';
import { Log } from './shim/log.js';
import { provider } from './shim/provider.js';
import { routes } from './shim/routes.js';
import { Worker } from './shim/worker.js';

export const name = 'unified-search';
export const inject = ['web'];

const here = (file) => new URL(file, import.meta.url);
const read = (file) => JSON.parse(readFileSync(here(file), 'utf8'));

const { fields } = read('fields.json');
const { version } = read('package.json');

export const Config = z.object(configOf(z, fields));

export function apply(ctx, config) {
  const place = join(resolveDshHome(), 'cache', 'websearch');
  const log = new Log(join(place, 'harness.log'));
  const launch = launchOf(config);
  const worker = new Worker({ command: launch.command, version, log });
  ctx.effect(() => () => worker.close(), 'unified-search: worker');

  const environment = (variable) => launchEnvironmentOf(ctx).get(variable)?.value;
  const common = async () => {
    const settings = settingsOf(config, fields);
    const keys = await keysOf(settings, fields, { credentials: () => ctx.get('credentials'), environment });
    log.hide(Object.values(keys));
    return { settings, keys, place: { state: place, cache: place, history: place }, lang: language(settings) };
  };
  const seam = { worker, common, timeoutMs: launch.timeoutMs };
  const failed = (problem) => new WebError(problem.message, problem.code, { cause: problem.cause });
  ctx.web.registerSearchProvider(provider({ ...seam, failed }));
  ctx.inject(['connection'], (inner) => {
    for (const route of routes(seam)) inner.connection.fetch.register(route);
  });
}

/** Which Python is started: the row's own `python`, else the one `fanseek dsh install` wrote down. */
function launchOf(config) {
  let written = {};
  try {
    written = read('launch.json');
  } catch {
    // a bundle that was put in place by hand has no such file; the command on PATH is tried
  }
  const python = config.python ?? written.python;
  const command = python ? [python, '-m', 'fanseek', 'worker'] : ['fanseek', 'worker'];
  return { command, timeoutMs: config.timeoutMs ?? 50_000 };
}

function language(settings) {
  if (settings.lang === 'en' || settings.lang === 'zh') return settings.lang;
  const locale = process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '';
  return /^zh/i.test(locale) ? 'zh' : 'en';
}
