/** One process of the worker: started, spoken to in lines of JSON, ended. */

import { spawn } from 'node:child_process';

import { allowed } from './environment.js';
import { Lines } from './lines.js';

const WORDS = 2000;
/** Characters of its standard error that are kept to say why it ended. */

const DRAIN_MS = 200;
/** How long after its end what it had written is waited for. */

const TERM_MS = 500;
const KILL_MS = 1500;

export class Child {
  #process;
  #log;
  #gone;
  #words = '';
  #reason = undefined;
  #strays = 0;
  #over = false;
  #ended;

  /**
   * Starts it. `heard(message)` gets each JSON object it writes; `gone({ why, missing })` is called once.
   * `limit` is in bytes a line.
   */
  constructor({ command: [file, ...args], environment, limit, log, heard, gone }) {
    this.#log = log;
    this.#gone = gone;
    this.#ended = new Promise((resolve) => (this.#over = resolve));
    this.#process = spawn(file, args, { env: allowed(environment), stdio: 'pipe', windowsHide: true });
    const { stdin, stdout, stderr } = this.#process;
    const lines = new Lines(limit);
    stdin.on('error', () => {}); // its end is told by exit; until then writing to it may fail
    stdout.on('error', () => {});
    stderr.on('error', () => {});
    stdout.on('data', (chunk) => this.#read(lines, chunk, heard));
    stderr.setEncoding('utf8').on('data', (text) => this.#overhear(text));
    this.#process.on('error', (problem) => this.#end(problem));
    this.#process.on('close', () => this.#end());
    this.#process.on('exit', () => setTimeout(() => this.#end(), DRAIN_MS).unref());
  }

  send(message) {
    if (this.#process.stdin.writable) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends it now. `reason` is what will be said of it. */
  kill(reason) {
    this.#reason ??= reason;
    this.#process.kill('SIGKILL');
  }

  /** Ends it in good order: its input closed, then asked, then made to. */
  async close() {
    const later = [
      setTimeout(() => this.#process.kill('SIGTERM'), TERM_MS),
      setTimeout(() => this.#process.kill('SIGKILL'), KILL_MS),
    ];
    this.#process.stdin.end();
    await this.#ended;
    later.forEach(clearTimeout);
  }

  #read(lines, chunk, heard) {
    if (this.#reason) return;
    let whole;
    try {
      whole = lines.push(chunk);
    } catch (problem) {
      this.kill(`its answer was too large: ${problem.message}`);
      return;
    }
    for (const line of whole) this.#understand(line, heard);
  }

  #understand(line, heard) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      // something else wrote to its output
    }
    if (message && typeof message === 'object' && !Array.isArray(message)) heard(message);
    else if (this.#strays++ < 5) this.#log.write(`worker wrote what is no message: ${line.slice(0, 200)}`);
  }

  #overhear(text) {
    this.#words = (this.#words + text).slice(-WORDS);
    for (const line of text.split('\n')) if (line.trim()) this.#log.write(`worker: ${line}`);
  }

  #end(problem) {
    if (!this.#over) return;
    const { exitCode, signalCode } = this.#process;
    const how = problem ? (problem.code ?? problem.message) : (signalCode ?? exitCode);
    const last = this.#log.clean(this.#words).trim().split('\n').at(-1).slice(0, 300);
    const over = this.#over;
    this.#over = undefined;
    over();
    const why = [`search worker exited (${how})`, this.#reason ?? last].filter(Boolean).join(': ');
    this.#gone({ why, missing: problem !== undefined });
  }
}
