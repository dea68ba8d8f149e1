/** The worker as its callers see it: one answer or one problem for each request, whatever becomes of the process. */

import { Backoff } from './backoff.js';
import { Child } from './child.js';
import { Problem, aborted, told } from './problem.js';

const PROTOCOL = 1;
const HELLO = 0;
/** The id of the first request of all. */

const USUAL = {
  lineBytes: 8 * 1024 * 1024,
  helloMs: 20_000, // a cold start of Python on a busy machine
  graceMs: 2000, // from a cancel to the end of a worker that takes no notice of it
};
const REMEDY = 'run `fanseek dsh doctor`';

export class Worker {
  #command;
  #version;
  #log;
  #environment;
  #limits;
  #backoff;
  #child = undefined;
  #ready = false;
  #starting = undefined;
  #calls = new Map();
  #dropped = new Map();
  #last = HELLO;
  #closed = false;

  /** `command` is an argument list. Nothing is started before the first request. */
  constructor({ command, version, log, environment = process.env, limits = {}, backoff = new Backoff() }) {
    this.#command = command;
    this.#version = version;
    this.#log = log;
    this.#environment = environment;
    this.#limits = { ...USUAL, ...limits };
    this.#backoff = backoff;
  }

  /**
   * The result of `method`. Rejects with a Problem: at once when `signal` aborts, and when `timeoutMs` have passed.
   * With `again` it is asked a second time where the worker died over it.
   */
  request(method, params, { signal, timeoutMs, again = true }) {
    const call = { id: ++this.#last, method, params, again, sent: false };
    const answer = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    answer.catch(() => {}); // one nobody waits for any more would end the whole harness
    const refusal = this.#refusal(signal);
    if (refusal) {
      call.reject(refusal);
      return answer;
    }
    const late = () => this.#drop(call, new Problem(`no answer from the search worker within ${timeoutMs} ms`));
    const stopped = () => this.#drop(call, aborted());
    const timer = setTimeout(late, timeoutMs);
    signal?.addEventListener('abort', stopped, { once: true });
    call.forget = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
      this.#calls.delete(call.id);
    };
    this.#calls.set(call.id, call);
    this.#advance();
    return answer;
  }

  /** Ends the process and every request with it. */
  async close() {
    this.#closed = true;
    clearTimeout(this.#starting);
    for (const call of [...this.#calls.values()]) this.#fail(call, aborted());
    this.#clearDropped();
    await this.#child?.close();
  }

  #refusal(signal) {
    if (this.#closed || signal?.aborted) return aborted();
    if (!this.#backoff.looping) return undefined;
    const seconds = Math.ceil(this.#backoff.left / 1000);
    return new Problem(`${this.#why ?? 'the search worker'}; it keeps ending, next try in ${seconds} s (${REMEDY})`);
  }

  #why = undefined;
  /** What was said of the last process that ended. */

  /** Sends what can be sent, or sees to it that there is a process. */
  #advance() {
    if (this.#closed || this.#calls.size === 0) return;
    if (this.#ready) {
      for (const call of this.#calls.values()) if (!call.sent) this.#send(call);
    } else if (!this.#child && !this.#starting) {
      this.#starting = setTimeout(() => this.#start(), this.#backoff.left);
    }
  }

  #send(call) {
    call.sent = true;
    this.#child.send({ jsonrpc: '2.0', id: call.id, method: call.method, params: call.params });
  }

  #start() {
    this.#starting = undefined;
    if (this.#closed) return;
    const { lineBytes, helloMs } = this.#limits;
    const mute = setTimeout(() => child.kill(`it did not answer within ${helloMs} ms of its start`), helloMs);
    const gone = (end) => {
      clearTimeout(mute);
      this.#mourn(end);
    };
    let child;
    try {
      child = new Child({
        command: this.#command,
        environment: this.#environment,
        limit: lineBytes,
        log: this.#log,
        heard: (message) => this.#hear(child, message, mute),
        gone,
      });
    } catch (problem) {
      gone({ why: `search worker can't be started: ${problem.message}`, missing: true });
      return;
    }
    this.#child = child;
    const client = { name: 'fanseek-dsh', version: this.#version };
    child.send({ jsonrpc: '2.0', id: HELLO, method: 'initialize', params: { protocol: PROTOCOL, client } });
  }

  #hear(child, message, mute) {
    if (message.id === HELLO && !this.#ready) {
      clearTimeout(mute);
      this.#greet(child, message);
      return;
    }
    const call = this.#calls.get(message.id);
    if (!call?.sent) {
      clearTimeout(this.#dropped.get(message.id));
      this.#dropped.delete(message.id);
      return;
    }
    this.#backoff.answered();
    call.forget();
    if (message.error) call.reject(told(message.error));
    else call.resolve(message.result);
  }

  #greet(child, { result, error }) {
    if (result?.protocol === PROTOCOL) {
      this.#ready = true;
      this.#log.write(`worker ${result.version} on Python ${result.python} is ready`);
      this.#advance();
      return;
    }
    const said = error ? told(error).message : `it speaks protocol ${result?.protocol}, not ${PROTOCOL}`;
    child.kill(`${said} (${REMEDY})`);
  }

  #drop(call, problem) {
    const { sent, id } = call;
    this.#fail(call, problem);
    if (!sent || !this.#child) return;
    const child = this.#child;
    child.send({ jsonrpc: '2.0', method: 'cancel', params: { id } });
    const deaf = setTimeout(() => child.kill('it took no notice of a cancel'), this.#limits.graceMs);
    this.#dropped.set(id, deaf);
  }

  #fail(call, problem) {
    call.forget();
    call.reject(problem);
  }

  #mourn({ why, missing }) {
    this.#child = undefined;
    this.#ready = false;
    this.#clearDropped();
    if (this.#closed) return;
    this.#why = why;
    this.#log.write(why);
    this.#backoff.died();
    for (const call of [...this.#calls.values()]) {
      if (missing || !call.again) this.#fail(call, new Problem(`${why} (${REMEDY})`));
      Object.assign(call, { again: false, sent: false });
    }
    this.#advance();
  }

  #clearDropped() {
    for (const timer of this.#dropped.values()) clearTimeout(timer);
    this.#dropped.clear();
  }
}
