import { setTimeout as sleep } from 'node:timers/promises';
import { OwnerClient } from '../../ownership/owner-client.ts';
import type { ServiceManager, ServiceState } from './systemd.ts';
import type { ServiceSettings } from './unit.ts';

const TIMEOUT_MS = 2_000;

export interface RunningServer {
  url: string | null;
  isReady: boolean;
}

export interface Running extends ServiceState, RunningServer {}

/**
 * By the socket of the data directory or, for users who may not enter it, by the recorded address.
 */
export async function examine(manager: ServiceManager, settings: ServiceSettings): Promise<Running> {
  const state = await manager.state();
  const answering = (await askSocket(settings.dataDir, state.pid)) ?? (await askAddress(state, settings));
  return { ...state, ...answering };
}

/** Polls until the service is ready, has failed, or `attempts` are over. */
export async function untilReady(
  manager: ServiceManager,
  settings: ServiceSettings,
  { attempts, pauseMs }: { attempts: number; pauseMs: number },
): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    const found = await examine(manager, settings);
    if (found.isReady || !found.isActive || attempt >= attempts) return found;
    await sleep(pauseMs);
  }
}

/** Null when the process of the service does not answer there. */
async function askSocket(dataDir: string, pid: number | null): Promise<RunningServer | null> {
  let client: OwnerClient;
  try {
    client = new OwnerClient(dataDir);
  } catch {
    return null; // The directory does not exist, or this user may not enter it.
  }
  try {
    const owner = await client.owner();
    if (!owner || (pid !== null && owner.pid !== pid)) return null;
    return { url: owner.url ?? null, isReady: await client.ready() };
  } finally {
    await client.close();
  }
}

async function askAddress({ isActive }: ServiceState, { host, port }: ServiceSettings): Promise<RunningServer> {
  if (!isActive) return { url: null, isReady: false };
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  try {
    const { ok, status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    // 400 is the answer of a server that speaks HTTPS.
    return { url: status === 400 ? null : url, isReady: ok };
  } catch {
    return { url: null, isReady: false };
  }
}
