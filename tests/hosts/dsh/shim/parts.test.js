/** Keys, settings, lines, the log and the routes. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { configOf, settingsOf } from '../../../../plugin/fanseek/bundles/dsh/shim/fields.js';
import { keysOf } from '../../../../plugin/fanseek/bundles/dsh/shim/keys.js';
import { Lines } from '../../../../plugin/fanseek/bundles/dsh/shim/lines.js';
import { Log } from '../../../../plugin/fanseek/bundles/dsh/shim/log.js';
import { Problem } from '../../../../plugin/fanseek/bundles/dsh/shim/problem.js';
import { provider, resultOf } from '../../../../plugin/fanseek/bundles/dsh/shim/provider.js';
import { routes } from '../../../../plugin/fanseek/bundles/dsh/shim/routes.js';
import { ask, folder, scripted } from './scripted.js';

const FIELDS = {
  numResults: { type: 'integer', minimum: 1, maximum: 50, default: 8 },
  enableOne: { choices: ['auto', 'on', 'off', true, false], default: 'auto' },
  oneApiKeyEnv: { type: 'string', default: 'ONE_API_KEY', reference: true },
  twoApiKeyEnv: { type: 'string', default: 'TWO_API_KEY', reference: true },
};

test('lines come out whole however their bytes were cut', () => {
  const text = ['{"a":"ü"}', '', '{"b":"搜索 😀"}', 'x'.repeat(3000)].join('\n') + '\n';
  const bytes = Buffer.from(text);
  for (let step = 1; step < 40; step++) {
    const lines = new Lines(4096);
    const found = [];
    for (let from = 0; from < bytes.length; from += step) found.push(...lines.push(bytes.subarray(from, from + step)));
    assert.deepEqual(found, text.slice(0, -1).split('\n'));
  }
});

test('a line beyond the limit is refused before it is whole', () => {
  const lines = new Lines(10);
  assert.deepEqual(lines.push(Buffer.from('0123456789\n')), ['0123456789']);
  assert.throws(() => lines.push(Buffer.from('0123456789a')), RangeError);
});

test('keys come from the credentials, else from the environment, under the names that are set', async () => {
  const credentials = { resolve: async (name) => (name === 'ONE_API_KEY' ? { value: 'stored' } : undefined) };
  const environment = (name) => ({ ONE_API_KEY: 'started', OTHER: 'other', TWO_API_KEY: 'two' })[name];
  const from = { credentials: () => credentials, environment };
  assert.deepEqual(await keysOf({}, FIELDS, from), { ONE_API_KEY: 'stored', TWO_API_KEY: 'two' });
  assert.deepEqual(await keysOf({ twoApiKeyEnv: 'OTHER' }, FIELDS, from), { ONE_API_KEY: 'stored', OTHER: 'other' });
});

test('a profile without credentials, or one that is going away, costs no search (fact 5.7, fact 2.6)', async () => {
  const environment = (name) => (name === 'TWO_API_KEY' ? 'two' : undefined);
  const gone = () => {
    throw new Error('inactive context');
  };
  const failing = () => ({ resolve: async () => Promise.reject(new Error('no')) });
  for (const credentials of [() => undefined, gone, failing]) {
    assert.deepEqual(await keysOf({}, FIELDS, { credentials, environment }), { TWO_API_KEY: 'two' });
  }
  assert.deepEqual(await keysOf({}, FIELDS, { credentials: gone, environment: gone }), {});
});

test('what is no name is not looked up', async () => {
  const asked = [];
  const environment = (name) => void asked.push(name);
  await keysOf({ oneApiKeyEnv: 'sk-a-key-itself', twoApiKeyEnv: '' }, FIELDS, { credentials: () => undefined, environment });
  assert.deepEqual(asked, []);
});

test('every setting is live, and what is read at the start is not (fact 5.1)', () => {
  const made = [];
  const kind = (type) => {
    const calls = [type];
    const schema = new Proxy({}, { get: (_, name) => (...given) => (calls.push([name, ...given]), schema) });
    made.push(calls);
    return schema;
  };
  const z = { number: () => kind('number'), string: () => kind('string'), boolean: () => kind('boolean'), union: (all) => kind(all) };
  const config = configOf(z, FIELDS);
  assert.deepEqual(Object.keys(config), [...Object.keys(FIELDS), 'python', 'timeoutMs']);
  const volatile = made.filter((calls) => calls.some(([name]) => name === 'volatile'));
  assert.equal(volatile.length, Object.keys(FIELDS).length);
  assert.deepEqual(made[0].slice(0, 4), ['number', ['step', 1], ['min', 1], ['max', 50]]);
  assert.deepEqual(made[1][0], ['auto', 'on', 'off', true, false]);
});

test('only what was set is sent: the rest is left to the worker', () => {
  const ref = (value) => ({ get: () => value });
  const config = { numResults: ref(5), enableOne: ref(false), oneApiKeyEnv: ref(undefined), twoApiKeyEnv: ref(null), python: '/x' };
  assert.deepEqual(settingsOf(config, FIELDS), { numResults: 5, enableOne: false });
});

test("the log is bounded, holds no key, and a disk that refuses it costs nothing", async (t) => {
  const place = folder();
  const log = new Log(join(place, 'deep', 'harness.log'), 4096);
  log.hide(['sk-canary-0001', 'abc']);
  for (let number = 0; number < 300; number++) log.write(`line ${number} with sk-canary-0001\nand another line`);
  for (const name of ['harness.log', 'harness.log.1']) {
    assert(statSync(join(place, 'deep', name)).size <= 4096);
    const text = readFileSync(join(place, 'deep', name), 'utf8');
    assert(!text.includes('canary') && text.includes('***'));
    assert(text.split('\n').every((line) => !line || line.startsWith('20')));
  }
  assert.equal(statSync(join(place, 'deep', 'harness.log')).mode & 0o777, 0o600);
  mkdirSync(join(place, 'folder'));
  new Log(join(place, 'folder')).write('a folder is no file');
  writeFileSync(join(place, 'file'), '');
  new Log(join(place, 'file', 'below')).write('nor is a file a folder');

  const { worker, log: own, logged } = scripted(t, { search: ['shout:the keys are '] });
  own.hide(['tvly-canary-9']);
  await worker.request('search', { query: 'a', keys: { TAVILY_API_KEY: 'tvly-canary-9' } }, { timeoutMs: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.match(logged(), /the keys are .*\*\*\*/);
  assert(!logged().includes('canary'));
});

test('the provider sends query, limit and what is left of the time, and keeps what the seam knows (HF1, HF2)', async (t) => {
  const { worker, seen } = scripted(t);
  const settings = {};
  const common = async () => ({ settings: { ...settings }, keys: {}, lang: 'en' });
  const one = provider({ worker, common, timeoutMs: 50_000, failed: (problem) => problem });
  assert.equal(one.id, 'unified');
  assert.equal(one.available(), true);
  assert.equal(seen('started').length, 0);
  const found = await one.search({ query: 'a', maxResults: 8 }, new AbortController().signal);
  assert.deepEqual(found, {
    sources: [{ url: 'https://example.org/a', title: 'About a', snippet: 'Words.' }],
    truncated: false,
  });
  const { params } = seen('search')[0];
  assert.deepEqual(params, { query: 'a', maxResults: 8, timeoutMs: 48_000, settings: {}, keys: {}, lang: 'en' });
  for (const [own, limit] of [[3, 3], [20, 8]]) {
    settings.numResults = own;
    await one.search({ query: `${own}`, maxResults: 8 });
    assert.equal(seen('search').at(-1).params.maxResults, limit);
  }
});

test('an answer of odd shape becomes what the seam can take', () => {
  for (const odd of [null, undefined, 3, 'x', [], { sources: 'x' }, { sources: [null, 1, { url: 2 }] }]) {
    assert.deepEqual(resultOf(odd), { sources: [], truncated: false });
  }
  const source = { url: 'https://a.test/', title: 3, snippet: null, publishedAt: '2026-01-01', found: 1 };
  assert.deepEqual(resultOf({ content: 'c', sources: [source], truncated: true, status: 'ok' }), {
    content: 'c',
    sources: [{ url: 'https://a.test/', publishedAt: '2026-01-01' }],
    truncated: true,
  });
});

test('a failure is thrown as the harness wants it, also one before the worker is asked', async (t) => {
  const { worker } = scripted(t, { search: ['error:WEB_PROVIDER_ERROR:every backend failed: one: timeout'] });
  const failed = (problem) => Object.assign(new Error(`web: ${problem.message}`), { code: problem.code });
  const one = provider({ worker, common: async () => ({}), timeoutMs: 20_000, failed });
  await assert.rejects(one.search({ query: 'a' }), { message: 'web: every backend failed: one: timeout', code: 'WEB_PROVIDER_ERROR' });
  const broken = provider({ worker, common: async () => Promise.reject(new Problem('no settings')), timeoutMs: 1000, failed });
  await assert.rejects(broken.search({ query: 'a' }), { message: 'web: no settings' });
});

const JSON_TYPE = { 'content-type': 'application/json' };

function served(t, script) {
  const { worker, seen } = scripted(t, script);
  const all = routes({ worker, common: async () => ({ lang: 'en', keys: { A: 'canary' } }), timeoutMs: 20_000 });
  const send = async (method, path, options = {}) => {
    const route = all.find((one) => one.path === path.split('?')[0] && one.methods.includes(method));
    const answer = await route.fetch(new Request(`http://127.0.0.1${path}`, { method, ...options }));
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };
  return { send, seen, all };
}

test('the routes are those of O4, O5 and of the panel, and all read whole bodies', (t) => {
  const { all } = served(t);
  assert.deepEqual(
    all.map((one) => `${one.methods} ${one.path} ${one.requestBody}`),
    [
      'GET /api/websearch/history buffered',
      'POST /api/websearch/history/clear buffered',
      'GET /api/websearch/status buffered',
      'GET /api/websearch/schema buffered',
      'POST /api/websearch/test buffered',
    ],
  );
});

test('a route passes on what it is asked, and the answer as it is', async (t) => {
  const { send, seen } = served(t);
  assert.equal((await send('GET', '/api/websearch/history?limit=5&lang=zh')).status, 200);
  const { params } = seen('history')[0];
  assert.deepEqual([params.limit, params.lang], [5, 'zh']);
  const { status, headers } = await send('POST', '/api/websearch/test', { headers: JSON_TYPE, body: '{"backend":"one","query":"x"}' });
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
  assert.deepEqual([seen('test')[0].params.backend, seen('test')[0].params.query], ['one', 'x']);
});

test('a POST that is no JSON is refused before the worker hears of it (O6)', async (t) => {
  const { send, seen } = served(t);
  const clear = '/api/websearch/history/clear';
  const form = 'application/x-www-form-urlencoded';
  for (const type of ['text/plain', form, 'multipart/form-data', 'application/jsonp', '']) {
    const headers = type ? { 'content-type': type } : {};
    assert.equal((await send('POST', clear, { headers, body: Buffer.from('{}') })).status, 415, type);
  }
  for (const [body, status] of [['[1]', 400], ['{', 400], ['null', 400], [`{"a":"${'x'.repeat(20_000)}"}`, 413]]) {
    assert.equal((await send('POST', clear, { headers: JSON_TYPE, body })).status, status);
  }
  for (const body of ['{}', '{"backend":1}', '{"backend":"../x"}', `{"backend":"one","query":"${'x'.repeat(401)}"}`]) {
    assert.equal((await send('POST', '/api/websearch/test', { headers: JSON_TYPE, body })).status, 400);
  }
  for (const limit of ['0', '51', 'x', '1.5', '']) {
    assert.equal((await send('GET', `/api/websearch/history?limit=${limit}`)).status, 400);
  }
  assert.equal(seen('started').length, 0);
  assert.equal((await send('POST', clear, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } })).status, 200);
});

test('a failure of the worker is an answer with its reason, never a rejection', async (t) => {
  const { send } = served(t, { status: ['error:WEB_PROVIDER_ERROR:broken'], schema: ['die:3'] });
  const { status, body } = await send('GET', '/api/websearch/status');
  assert.deepEqual([status, body], [502, { ok: false, error: { code: 'WEB_PROVIDER_ERROR', message: 'broken' } }]);
  const died = await send('GET', '/api/websearch/schema');
  assert.equal(died.status, 502);
  assert.match(died.body.error.message, /exited \(3\)/);
});

test('a page that went away ends its request', async (t) => {
  const { all, seen } = served(t, { status: ['hang'] });
  const control = new AbortController();
  const asked = all[2].fetch(new Request('http://127.0.0.1/api/websearch/status', { signal: control.signal }));
  while (seen('status').length === 0) await new Promise((resolve) => setTimeout(resolve, 25));
  control.abort();
  assert.equal((await asked).status, 499);
  assert(ask);
});
