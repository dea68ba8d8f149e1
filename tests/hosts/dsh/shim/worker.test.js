/** What becomes of requests when the worker does not do as it should. */

import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Backoff } from '../../../../plugin/fanseek/bundles/dsh/shim/backoff.js';
import { Log } from '../../../../plugin/fanseek/bundles/dsh/shim/log.js';
import { Worker } from '../../../../plugin/fanseek/bundles/dsh/shim/worker.js';
import { PYTHON, ask, folder, scripted, until } from './scripted.js';

const pids = (seen) => new Set(seen('search').map((one) => one.pid));

test('one process, started by the first request, serves all', async (t) => {
  const { worker, seen } = scripted(t);
  assert.equal(seen().length, 0);
  const found = await Promise.all(['a', 'b', 'c'].map((query) => ask(worker, query)));
  assert.deepEqual(
    found.map((one) => one.sources[0].url),
    ['a', 'b', 'c'].map((query) => `https://example.org/${query}`),
  );
  assert.equal(seen('started').length, 1);
  assert.deepEqual(seen('initialize')[0].params, { protocol: 1, client: { name: 'fanseek-dsh', version: '1' } });
});

test('its environment is what is allowed, and nothing is told by arguments', async (t) => {
  const environment = {
    ...process.env,
    DEEPSEEK_API_KEY: 'sk-canary-environment',
    TAVILY_API_KEY: 'tvly-canary',
    FANSEEK_ENABLE_EXA: 'off',
    NODE_OPTIONS: '--no-warnings',
    https_proxy: 'http://127.0.0.1:9',
    NO_PROXY: 'localhost',
    SSL_CERT_FILE: '/nowhere.pem',
  };
  const { worker, seen } = scripted(t, {}, { environment });
  await ask(worker);
  const [{ environment: names, argv }] = seen('started');
  for (const name of ['PATH', 'https_proxy', 'NO_PROXY', 'SSL_CERT_FILE', 'PYTHONSAFEPATH']) assert(names.includes(name));
  assert.deepEqual(names.filter((name) => /KEY|FANSEEK|NODE|DSH/.test(name)), []);
  assert.deepEqual(argv, []);
});

test('requests of a worker that died are sent once more to the next one', async (t) => {
  const { worker, seen } = scripted(t, { search: ['hang', 'die:3', 'answer'] });
  const found = await Promise.all([ask(worker, 'a'), ask(worker, 'b')]);
  assert.deepEqual(found.map((one) => one.sources[0].title), ['About a', 'About b']);
  assert.equal(seen('search').length, 4);
  assert.equal(pids(seen).size, 2);
});

test('a request that two workers died over fails, and the next one is served (fact 2.4)', async (t) => {
  const { worker, seen } = scripted(t, { search: ['die:3', 'die:3', 'answer'] });
  await assert.rejects(ask(worker), { code: 'WEB_PROVIDER_ERROR', message: /^search worker exited \(3\)/ });
  assert.equal((await ask(worker, 'b')).sources[0].title, 'About b');
  assert.equal(pids(seen).size, 3);
});

test('a request that costs a call is not sent twice', async (t) => {
  const { worker, seen } = scripted(t, { test: ['die:3', 'answer'] });
  await assert.rejects(worker.request('test', {}, { timeoutMs: 20_000, again: false }), /exited \(3\)/);
  assert.equal(seen('test').length, 1);
});

test('the last words of a worker that died are told', async (t) => {
  const { worker } = scripted(t, { search: ['complain-and-die:no room left'] });
  await assert.rejects(ask(worker), /search worker exited \(1\): RuntimeError: no room left/);
});

test('a worker in a crash loop is started ever more seldom, and requests fail at once meanwhile', async (t) => {
  let now = 0;
  const backoff = new Backoff(() => now);
  const { worker, seen } = scripted(t, { search: ['die:7'] }, { backoff });
  const starts = [];
  for (let round = 0; round < 6; round++) {
    await assert.rejects(ask(worker), (problem) => problem.code === 'WEB_PROVIDER_ERROR' && /exited \(7\)/.test(problem.message));
    starts.push(seen('started').length);
    now += 250;
  }
  assert(starts.at(-1) <= 5, `${starts}`);
  assert.equal(starts.at(-1), starts.at(-2));
  await assert.rejects(ask(worker), /keeps ending, next try in \d+ s \(run `fanseek dsh doctor`\)/);
});

test('pauses between starts grow, and an answer ends them', () => {
  let now = 0;
  const backoff = new Backoff(() => now);
  const pauses = Array.from({ length: 8 }, () => {
    backoff.died();
    return backoff.left;
  });
  assert.deepEqual(pauses, [0, 250, 1000, 4000, 15_000, 30_000, 30_000, 30_000]);
  assert(backoff.looping);
  now = 30_000;
  assert(!backoff.looping);
  backoff.answered();
  backoff.died();
  assert.equal(backoff.left, 0);
});

test('an abort ends the request at once, is told to the worker, and costs no process (B9)', async (t) => {
  const { worker, seen } = scripted(t, { search: ['hang', 'answer'] });
  const control = new AbortController();
  const asked = ask(worker, 'a', { signal: control.signal });
  await until(() => seen('search').length === 1);
  control.abort();
  await assert.rejects(asked, { code: 'WEB_ABORTED' });
  await until(() => seen('cancel').length === 1);
  assert.equal(seen('cancel')[0].params.id, seen('search')[0].id);
  await ask(worker, 'b');
  assert.equal(seen('started').length, 1);
});

test('what is aborted before it was sent is never sent', async (t) => {
  const { worker, seen } = scripted(t);
  await assert.rejects(ask(worker, 'a', { signal: AbortSignal.abort() }), { code: 'WEB_ABORTED' });
  const control = new AbortController();
  const asked = ask(worker, 'b', { signal: control.signal });
  control.abort();
  await assert.rejects(asked, { code: 'WEB_ABORTED' });
  await ask(worker, 'c');
  assert.deepEqual(seen('search').map((one) => one.params.query), ['c']);
});

test('a worker that ignores a cancel is ended after its grace, and what else it had is asked of the next', async (t) => {
  const { worker, seen } = scripted(t, { search: ['ignore', 'ignore', 'answer'] }, { limits: { graceMs: 200 } });
  const control = new AbortController();
  const stopped = ask(worker, 'a', { signal: control.signal });
  const other = ask(worker, 'b');
  await until(() => seen('search').length === 2);
  control.abort();
  await assert.rejects(stopped, { code: 'WEB_ABORTED' });
  assert.equal((await other).sources[0].title, 'About b');
  assert.equal(pids(seen).size, 2);
});

test('a request has a deadline of its own, after which the worker is told to stop', async (t) => {
  const { worker, seen } = scripted(t, { search: ['hang', 'answer'] });
  await worker.request('status', {}, { timeoutMs: 20_000 }); // until here Python starts
  const late = { code: 'WEB_PROVIDER_ERROR', message: 'no answer from the search worker within 300 ms' };
  await assert.rejects(ask(worker, 'a', { timeoutMs: 300 }), late);
  await until(() => seen('cancel').length === 1);
  await ask(worker, 'b');
  assert.equal(seen('started').length, 1);
});

test('stray lines on its output are left out', async (t) => {
  const { worker, logged } = scripted(t, { search: ['print'] });
  assert.equal((await ask(worker, 'a')).sources[0].title, 'About a');
  assert.match(logged(), /wrote what is no message: a stray line/);
});

test('an answer of 64 MB ends the worker, not the harness', async (t) => {
  const { worker } = scripted(t, { search: ['flood:67108864', 'flood:67108864', 'answer'] });
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(ask(worker), /its answer was too large: a line is longer than 8388608 bytes/);
  assert(process.memoryUsage().arrayBuffers - before < 48 * 1024 * 1024);
  assert.equal((await ask(worker, 'b')).sources[0].title, 'About b');
});

test('a worker that closed its input (EPIPE) ends no harness', async (t) => {
  const { worker, seen } = scripted(t, { search: ['close-input', 'answer'] }, { limits: { graceMs: 100 } });
  const first = ask(worker, 'a', { timeoutMs: 1500 });
  await until(() => seen('search').length === 1);
  const second = ask(worker, 'b');
  await assert.rejects(first, /no answer/);
  assert.equal((await second).sources[0].title, 'About b');
});

test('a path that is no Python fails with words, and every time', async (t) => {
  const place = folder();
  const log = new Log(join(place, 'log'));
  const plain = join(place, 'plain');
  writeFileSync(plain, 'no program');
  chmodSync(plain, 0o600);
  for (const [file, how] of [[join(place, 'none'), 'ENOENT'], [plain, 'EACCES'], ['a\0b', 'null bytes']]) {
    const worker = new Worker({ command: [file], version: '1', log });
    t.after(() => worker.close());
    for (let turn = 0; turn < 2; turn++) {
      await assert.rejects(ask(worker), (problem) => problem.code === 'WEB_PROVIDER_ERROR' && problem.message.includes(how));
    }
  }
});

test('a Python without fanseek is told by its own words', async (t) => {
  const command = [PYTHON, '-I', '-c', "raise SystemExit('No module named fanseek')"];
  const worker = new Worker({ command, version: '1', log: new Log(join(folder(), 'log')) });
  t.after(() => worker.close());
  await assert.rejects(ask(worker), /exited \(1\): No module named fanseek \(run `fanseek dsh doctor`\)/);
});

test('a worker of another protocol is refused before it is sent anything', async (t) => {
  const { worker, seen } = scripted(t, { initialize: ['old'] });
  await assert.rejects(ask(worker), /it speaks protocol 0, not 1/);
  assert.equal(seen('search').length, 0);
});

test('a worker that is mute at its start is given up', async (t) => {
  const { worker } = scripted(t, { initialize: ['hang'] }, { limits: { helloMs: 300 } });
  await assert.rejects(ask(worker), /it did not answer within 300 ms of its start/);
});

test("errors keep the seam's codes and no others", async (t) => {
  const plan = ['error:WEB_PROVIDER_UNAVAILABLE:none is ready', 'error:ENGINE_ERROR:broken', 'error:WEB_ABORTED:stopped'];
  const { worker } = scripted(t, { search: plan });
  await assert.rejects(ask(worker), { code: 'WEB_PROVIDER_UNAVAILABLE', message: 'none is ready' });
  await assert.rejects(ask(worker), { code: 'WEB_PROVIDER_ERROR', message: 'broken' });
  await assert.rejects(ask(worker), { code: 'WEB_ABORTED' });
});

test('closing ends the process and every request, and refuses further ones (B18)', async (t) => {
  const { worker, seen } = scripted(t, { search: ['hang'] });
  const asked = ask(worker);
  await until(() => seen('search').length === 1);
  const [{ pid }] = seen('search');
  await Promise.all([worker.close(), assert.rejects(asked, { code: 'WEB_ABORTED' })]);
  await until(() => !alive(pid));
  await assert.rejects(ask(worker), { code: 'WEB_ABORTED' });
});

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
