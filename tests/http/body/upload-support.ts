import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import express, { type RequestHandler } from 'express';
import { z } from 'zod';
import type { Timers } from '../../../src/core/base/concurrency/timers.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { FORMATS, formatOf } from '../../../src/core/knowledge/reader.ts';
import type { Services } from '../../../src/core/services.ts';
import { discardUpload, type RouteMultipart, receiveUpload } from '../../../src/http/body/multipart.ts';
import { errorHandler } from '../../../src/http/errors.ts';
import { mountRoutes, type Shutdown, uploadSlots } from '../../../src/http/pipeline.ts';
import { type RouteAnswer, type RouteContext, route } from '../../../src/http/route.ts';
import { createLog } from '../../../src/logging/log.ts';
import { FileUploadStore } from '../../../src/storage/uploads/files.ts';
import { temporaryDirectory } from '../../support/app.ts';

export const MEGABYTE = 1024 * 1024;
export const PATH = '/files';

const fields = z.strictObject({
  vectorStore: z.string().min(1).describe('Where it goes.'),
  metadata: z.string().optional().describe('JSON that is kept with it.'),
  csvDelimiter: z.string().length(1).optional(),
});
type Context = RouteContext<unknown, unknown, unknown, z.output<typeof fields>>;

export interface Options {
  maxBytes?: number;
  /** In place of a response that describes the upload. */
  run?: (context: Context) => Promise<RouteAnswer>;
  directory?: string;
  shutdown?: Shutdown;
  /** Runs before the route. */
  before?: RequestHandler;
}

/**
 * A route that takes a file and describes it. Keys are `<tenant>-<anything>`; some may be revoked.
 */
export function uploadRoute(directory: string, { maxBytes = 10 * MEGABYTE, run = tell }: Options = {}) {
  const store = new FileUploadStore({ directory });
  const revoked = new Set<string>();
  const services = {
    keyAuthenticator: {
      authenticate: async (key: string) => {
        if (!/^\w+-\w+$/.test(key) || revoked.has(key))
          throw new RuntimeError('unauthenticated', 'The key is not valid.');
        return { tenantId: key.split('-')[0], scopes: ['knowledge:write'], credential: { kind: 'key', id: key } };
      },
    },
    rateLimiter: { take: async () => undefined, countWrongKey: () => undefined },
  } as unknown as Services;
  const multipart: RouteMultipart<typeof fields> = {
    fields,
    file: 'file',
    fileDescription: 'What is to be read.',
    formats: FORMATS,
    formatOf,
    maxBytes: () => maxBytes,
    store: () => store,
  };
  const taking = route({
    method: 'post',
    path: PATH,
    access: 'knowledge:write',
    tag: 'Files',
    summary: 'Send a file',
    description: 'It is kept, and told of.',
    multipart,
    responses: { 202: { description: 'It is here.', schema: z.unknown() } },
    run,
  });
  return { store, services, multipart, taking, revoked };
}

async function tell({ upload }: Context): Promise<RouteAnswer> {
  return { status: 202, body: upload };
}

/** A server with that route, and the files it has on disk. */
export async function uploadServer(t: TestContext, { shutdown, before, ...options }: Options = {}) {
  const directory = options.directory ?? join(temporaryDirectory(t), 'uploads');
  const { services, taking, ...rest } = uploadRoute(directory, options);
  const app = express();
  if (before) app.use(before);
  mountRoutes(app, [taking], { services, shutdown });
  app.use(errorHandler(createLog('silent')));
  return {
    ...rest,
    ...(await listening(t, app)),
    files: () => readdirSync(directory),
    contentOf: (id: string) => readFileSync(join(directory, id)),
  };
}

/** Without authentication; closes an upload without progress in `stalledMs` of these timers. */
export async function serverWithStallLimit(t: TestContext, stalledMs: number, timers: Timers) {
  const directory = join(temporaryDirectory(t), 'uploads');
  const { services, multipart } = uploadRoute(directory);
  const app = express();
  app.post(
    PATH,
    receiveUpload(multipart, services, {
      slots: uploadSlots(),
      begun: new AbortController().signal,
      stalledMs,
      timers,
    }),
    ((_request, response) => void response.status(202).json(response.locals.form)) satisfies RequestHandler,
    discardUpload(multipart, services, { ms: 100, lingerMs: 100 }),
  );
  app.use(errorHandler(createLog('silent')));
  return { ...(await listening(t, app)), files: () => readdirSync(directory) };
}

export async function listening(t: TestContext, app: express.Express) {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}${PATH}` };
}

export const BOUNDARY = 'aBoundary';

/** One part of a form; with a file name, which is used unchanged, it is a file. */
export function part(name: string, content: string | Buffer, fileName?: string, headers = ''): Buffer {
  const disposition = `form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

export const END = Buffer.from(`--${BOUNDARY}--\r\n`);
export const STORE = part('vectorStore', 'manuals');

export function form(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, END]);
}

/** The head of a request that announces `length` bytes. */
export function head(length: number | 'chunked', headers: Record<string, string> = {}): string {
  const all = {
    host: 'test',
    'x-api-key': 'one-key',
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    ...(length === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

/** Sends a body unchanged. */
export async function post(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': 'one-key', 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
    body: new Uint8Array(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** A connection and the data received on it. */
export async function connected(t: TestContext, port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let received = '';
  let hasFailed = false;
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {
    hasFailed = true;
  });
  return {
    socket,
    closed,
    received: () => received,
    status: () => Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0),
    hasFailed: () => hasFailed,
  };
}
