import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { MessagePort, Worker } from 'node:worker_threads';

/*
 * Loaded into a real `serve` and its threads: each callback of a timer, each handler of a message and of a request's data
 * that a file of src registers throws once, timers of intervals soon.
 */

const SOON_MS = 300;
const INJECTED = new Set<string>();

type Callback = (...given: unknown[]) => unknown;

/** The file and line of src that registers a callback; null for libraries. */
function siteOf(): string | null {
  const [caller] = (new Error().stack ?? '').split('\n').slice(3);
  const site = /\/src\/([\w./-]+\.ts:\d+)/.exec(caller ?? '');
  return site && !caller!.includes('node_modules') ? site[1]! : null;
}

function throwing(site: string | null, callback: Callback, order: 'before' | 'after'): Callback {
  if (site === null || typeof callback !== 'function') return callback;
  return function (this: unknown, ...given) {
    const isFirst = !INJECTED.has(site);
    INJECTED.add(site);
    if (isFirst && order === 'before') throw new Error(`injected at ${site}`);
    const result = callback.apply(this, given);
    if (isFirst) throw new Error(`injected at ${site}`);
    return result;
  };
}

const { setTimeout: timeout, setInterval: interval, setImmediate: immediate } = globalThis;
const patched = globalThis as unknown as Record<string, unknown>;
// What a timeout or a turn of the loop was for is done; an interval comes again.
patched.setTimeout = (callback: Callback, ...given: unknown[]) =>
  timeout(throwing(siteOf(), callback, 'after'), ...(given as [number]));
patched.setImmediate = (callback: Callback, ...given: unknown[]) =>
  immediate(throwing(siteOf(), callback, 'after'), ...given);
patched.setInterval = (callback: Callback, ms: number, ...given: unknown[]) => {
  const site = siteOf();
  return interval(throwing(site, callback, 'before'), site === null ? ms : Math.min(ms, SOON_MS), ...given);
};
Object.assign(patched.setTimeout as object, timeout);

const { on } = EventEmitter.prototype;
const handled = (event: unknown, self: unknown) =>
  (event === 'message' && (self instanceof Worker || self instanceof MessagePort)) ||
  (event === 'data' && self instanceof IncomingMessage);
for (const prototype of [Worker.prototype, IncomingMessage.prototype]) {
  const inherited = prototype.on as typeof on;
  prototype.on = function (this: EventEmitter, event: string, handler: Callback) {
    const site = handled(event, this) ? siteOf() : null;
    return inherited.call(this, event, throwing(site, handler, event === 'data' ? 'before' : 'after'));
  } as never;
}
syncBuiltinESMExports();
