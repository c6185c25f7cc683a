import { createHash } from 'node:crypto';
import { chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Agent } from 'undici';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the final NUL. */
const MAX_SOCKET_PATH = 103;
const SOCKET_FILE = 'runtime.sock';
const DESCRIPTORS = '/proc/self/fd';

/** `close` is idempotent. */
export interface SocketAddress {
  path: string;
  close(): void;
}

const NOTHING_OPEN = () => undefined;

/** In the data directory, or a named pipe. A long path uses a descriptor or /tmp. */
export function socketAddress(dataDir: string): SocketAddress {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\agent-runtime-${name}`, close: NOTHING_OPEN };
  const direct = join(dataDir, SOCKET_FILE);
  if (Buffer.byteLength(direct) <= MAX_SOCKET_PATH) return { path: direct, close: NOTHING_OPEN };
  if (existsSync(DESCRIPTORS)) {
    const directory = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
    return { path: join(DESCRIPTORS, String(directory), SOCKET_FILE), close: once(() => closeSync(directory)) };
  }
  return { path: join(privateTemporaryDirectory(), `${name}.sock`), close: NOTHING_OPEN };
}

/** After a second close, the number may belong to another file. */
function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

/** Not TMPDIR: clients that start `mcp` do not pass it on. */
function privateTemporaryDirectory(): string {
  const directory = `/tmp/agent-runtime-${userInfo().uid}`;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  if (!found.isDirectory() || found.uid !== userInfo().uid || (found.mode & 0o077) !== 0) {
    throw new Error(`${directory} is not a private directory of this user; remove it or use a shorter data directory.`);
  }
  return directory;
}

/** For this user only. Replaces the socket file of a crashed process. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
}

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export function socketFetch(
  path: string,
  { headersTimeout = 60_000 }: { headersTimeout?: number } = {},
): { fetch: Fetch; close: () => Promise<void> } {
  let agent: Agent | undefined;
  return {
    fetch: async (url, init) => {
      const undici = await import('undici');
      agent ??= new undici.Agent({ connect: { socketPath: path }, headersTimeout, bodyTimeout: 0 });
      const response = await undici.fetch(url, { ...init, dispatcher: agent } as Parameters<typeof undici.fetch>[1]);
      return response as unknown as Response;
    },
    close: async () => agent?.destroy(),
  };
}
