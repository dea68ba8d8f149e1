/** Workers of scripted_worker.py, each with a log of what it was sent. */

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Log } from '../../../../plugin/fanseek/bundles/dsh/shim/log.js';
import { Worker } from '../../../../plugin/fanseek/bundles/dsh/shim/worker.js';

const SCRIPT = fileURLToPath(new URL('../scripted_worker.py', import.meta.url));
export const PYTHON = process.env.FANSEEK_PYTHON ?? 'python3';

export const folder = () => mkdtempSync(join(tmpdir(), 'fanseek-shim-'));

/** A Worker that plays `script`; `seen()` is what its processes were sent. It is closed after the test. */
export function scripted(t, script = {}, options = {}) {
  const place = folder();
  const heard = join(place, 'heard.jsonl');
  const log = new Log(join(place, 'harness.log'));
  const command = [PYTHON, SCRIPT, JSON.stringify(script), heard];
  const worker = new Worker({ command, version: '1', log, ...options });
  t.after(() => worker.close());
  const seen = (method) => {
    const lines = existsSync(heard) ? readFileSync(heard, 'utf8').trim().split('\n') : [];
    return lines.map((line) => JSON.parse(line)).filter((one) => !method || one.method === method);
  };
  return { worker, seen, log, logged: () => readFileSync(join(place, 'harness.log'), 'utf8') };
}

export const ask = (worker, query = 'q', own = {}) => worker.request('search', { query }, { timeoutMs: 20_000, ...own });

/** Waits until `holds()` is true, for twenty seconds at most. */
export async function until(holds) {
  for (let turn = 0; turn < 800; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`it never came to be: ${holds}`);
}
