/** Routes behind the harness's own fence (connection.fetch): history, status, a backend's test, the settings' schema. */

const LARGEST_BODY = 16_384;
const QUICK_MS = 20_000;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function routes({ worker, common, timeoutMs }) {
  const ask = (method, wait, again) => async (request, own) => {
    const params = { ...(await common()), ...spoken(request), ...own };
    return worker.request(method, params, { signal: request.signal, timeoutMs: wait, again });
  };
  return [
    route('GET', 'history', ask('history', QUICK_MS), limitOf),
    route('POST', 'history/clear', ask('history/clear', QUICK_MS)),
    route('GET', 'status', ask('status', QUICK_MS)),
    route('GET', 'schema', ask('schema', QUICK_MS)),
    route('POST', 'test', ask('test', timeoutMs, false), backendOf),
  ];
}

function route(method, name, ask, paramsOf = () => ({})) {
  const answer = async (request) => {
    try {
      const body = method === 'POST' ? await bodyOf(request) : {};
      return reply(200, await ask(request, paramsOf(body, new URL(request.url).searchParams)));
    } catch (problem) {
      const { status, code = 'ERROR', message } = problem;
      return reply(status ?? (code === 'WEB_ABORTED' ? 499 : 502), { ok: false, error: { code, message } });
    }
  };
  return { path: `/api/websearch/${name}`, methods: [method], requestBody: 'buffered', fetch: answer };
}

const reply = (status, body) => Response.json(body, { status, headers: HEADERS });

class Refused extends Error {
  code = 'BAD_REQUEST';

  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The JSON object in the body. A page of another site can't send that type of content unasked; text it can. */
async function bodyOf(request) {
  const type = (request.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase();
  if (type !== 'application/json') throw new Refused(415, 'the body must be application/json');
  const text = await request.text();
  if (text.length > LARGEST_BODY) throw new Refused(413, `the body is longer than ${LARGEST_BODY} characters`);
  try {
    const body = text.trim() ? JSON.parse(text) : {};
    if (body && typeof body === 'object' && !Array.isArray(body)) return body;
  } catch {
    // said below
  }
  throw new Refused(400, 'the body is no JSON object');
}

function limitOf(_body, query) {
  if (!query.has('limit')) return {};
  const limit = Number(query.get('limit'));
  if (!Number.isInteger(limit) || limit < 1 || limit > 50) throw new Refused(400, 'limit is a number from 1 to 50');
  return { limit };
}

function backendOf({ backend, query }) {
  if (typeof backend !== 'string' || !/^[a-z0-9_-]{1,64}$/i.test(backend)) {
    throw new Refused(400, 'backend names one of those that status lists');
  }
  if (query === undefined) return { backend };
  if (typeof query !== 'string' || query.length > 400) throw new Refused(400, 'query is a text of up to 400 characters');
  return { backend, query };
}

/** The language the page asks for, where it asks. */
function spoken(request) {
  const lang = new URL(request.url).searchParams.get('lang');
  return lang === 'en' || lang === 'zh' ? { lang } : {};
}
