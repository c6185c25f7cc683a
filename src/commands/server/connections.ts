import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork, type IsTrustedProxy } from '../../core/base/shared/addresses.ts';

/** A connection may hold memory and a descriptor for a minute while it sends its headers. */
const MAX_CONNECTIONS_OF_ADDRESS = 512;
const REPORT_INTERVAL_MS = 60_000;

export interface ConnectionLimits {
  /** Not counted: a proxy has the connections of many clients. */
  isTrustedProxy: IsTrustedProxy;
  /** Called at most once a minute. */
  onRefused: (refused: { address: string; open: number }) => void;
}

/** Closes surplus connections of an address. For IPv6, of a /64 network. */
export function limitConnections(server: Server, { isTrustedProxy, onRefused }: ConnectionLimits): void {
  const openBy = new Map<string, number>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrustedProxy(remoteAddress)) return;
    const address = clientNetwork(remoteAddress);
    const open = openBy.get(address) ?? 0;
    if (open >= MAX_CONNECTIONS_OF_ADDRESS) {
      socket.destroy();
      if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = performance.now();
      onRefused({ address, open });
      return;
    }
    openBy.set(address, open + 1);
    socket.once('close', () => {
      const left = (openBy.get(address) ?? 1) - 1;
      if (left > 0) openBy.set(address, left);
      else openBy.delete(address);
    });
  });
}
