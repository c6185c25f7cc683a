import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { closeDispatchers } from '../../src/outbound/dispatchers.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { fakeUpstream } from '../support/upstream/server.ts';
import { type Asked, ask, askAt, OFFERS, type Offer, readAll, watchRejections } from './support.ts';

const scope = scopeOfThisFile();
const upstream = await fakeUpstream(scope);
const wire = await countingWire();
watchRejections(scope);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

for (const offer of OFFERS) {
  const { name } = offer;

  test(`${name}: connections are reused after answers and refusals`, async () => {
    await closeDispatchers();
    wire.connections = 0;
    for (let times = 0; times < 5; times++) {
      upstream.script({});
      await readAll((await askThroughWire(offer)).events);
      upstream.script({ fault: { type: 'status', status: 404 } });
      await assert.rejects(askThroughWire(offer), { kind: 'refused' });
    }
    // The next request may come before undici knows that the connection is free.
    assert.ok(wire.connections <= 2, String(wire.connections));
  });

  test(`${name}: an abort within the answer ends the request`, async () => {
    upstream.script({ fault: { type: 'hang', after: 1 } });
    const controller = new AbortController();
    const { events } = await ask(offer, upstream, { signal: controller.signal });
    const reads = events[Symbol.asyncIterator]();
    assert.equal((await reads.next()).done, false);
    // Some SDKs hold on to what they abort by weak references alone.
    collectGarbage();
    const left = assert.rejects(reads.next(), { kind: 'broken' });
    const aborted = upstream.aborted;
    controller.abort(new Error('nobody waits'));
    await upstream.whenAborted(aborted + 1);
    await left;
  });

  test(`${name}: an abort while no read is pending ends the request`, async () => {
    upstream.script({ fault: { type: 'hang', after: 1 } });
    const controller = new AbortController();
    await ask(offer, upstream, { signal: controller.signal });
    collectGarbage();
    const aborted = upstream.aborted;
    controller.abort();
    await upstream.whenAborted(aborted + 1);
  });

  test(`${name}: an abort before the headers ends the request`, async () => {
    upstream.script({ fault: { type: 'hangBeforeHeaders' } });
    const controller = new AbortController();
    const { requests, aborted } = { requests: upstream.requests.length, aborted: upstream.aborted };
    const left = assert.rejects(ask(offer, upstream, { signal: controller.signal }), { name: 'ProviderFault' });
    await upstream.whenRequested(requests + 1);
    controller.abort();
    await left;
    await upstream.whenAborted(aborted + 1);
  });

  test(`${name}: an aborted signal prevents the request`, async () => {
    const before = upstream.requests.length;
    await assert.rejects(ask(offer, upstream, { signal: AbortSignal.abort() }), { name: 'ProviderFault' });
    await nextTurn();
    assert.equal(upstream.requests.length, before);
  });

  test(`${name}: a reader that stops ends the request`, async () => {
    upstream.script({ fault: { type: 'endless' } });
    const aborted = upstream.aborted;
    for await (const _ of (await ask(offer, upstream)).events) break;
    await upstream.whenAborted(aborted + 1);
  });

  test(`${name}: a fast server is held back to the speed of the reader (backpressure)`, async () => {
    upstream.script({ fault: { type: 'endless' } });
    const [aborted, sentBefore] = [upstream.aborted, upstream.bytesSent];
    const { events } = await ask(offer, upstream);
    const reads = events[Symbol.asyncIterator]();
    await reads.next();
    // The flood stops once every buffer on the way is full.
    let sent = -1;
    while (sent !== upstream.bytesSent) {
      sent = upstream.bytesSent;
      for (let turns = 0; turns < 200; turns++) await nextTurn();
    }
    assert.ok(sent - sentBefore < 16 * 1024 * 1024, String(sent - sentBefore));
    await reads.return?.();
    await upstream.whenAborted(aborted + 1);
  });
}

function askThroughWire(offer: Offer, asked: Asked = {}) {
  const { pathname } = new URL(upstream.baseUrl(offer.provider));
  return askAt(offer, wire.url + (pathname === '/' ? '' : pathname), asked);
}

async function countingWire(): Promise<{ url: string; connections: number }> {
  const { hostname, port } = new URL(upstream.url);
  const server = net.createServer((socket) => {
    counted.connections += 1;
    const onward = net.connect(Number(port), hostname);
    socket.pipe(onward).pipe(socket);
    for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  const counted = { url: '', connections: 0 };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  counted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  scope.after(async () => {
    await closeDispatchers();
    server.close();
  });
  return counted;
}
