import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { TestApp, TestResponse } from './app.ts';

/** What an API was asked. */
export interface AskedOfApi {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface TestApi {
  url: string;
  asked: AskedOfApi[];
}

type Answer = (asked: AskedOfApi, response: ServerResponse) => unknown;

/** An API on this machine that answers as it is told, with what it was asked where it is not. */
export async function startApi(t: TestContext, answer: Answer = echo): Promise<TestApi> {
  const asked: AskedOfApi[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(parts).toString() };
    asked.push(one);
    await answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export function echo(asked: AskedOfApi, response: ServerResponse): void {
  json(response, 200, asked);
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A definition of an API on this machine. */
export function petsAt(url: string, changes: object = {}): object {
  return {
    slug: 'pets',
    name: 'Pet Store',
    environments: { production: { baseUrl: `${url}/v1` } },
    allowPrivateNetworks: ['127.0.0.0/8'],
    resources: {
      getPet: {
        method: 'GET',
        path: '/pets/{petId}',
        parameters: {
          path: { properties: { petId: { type: 'integer' } }, required: ['petId'] },
          query: { properties: { fields: { type: 'array', items: { type: 'string' } } }, additionalProperties: false },
        },
        mock: { body: { id: 1, name: 'Rex' } },
      },
      addPet: {
        method: 'POST',
        path: '/pets',
        parameters: {
          body: {
            type: 'object',
            properties: { name: { type: 'string' }, tag: { type: 'string' } },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      listPets: { method: 'GET', path: '/pets', fallbackResponse: [] },
    },
    ...changes,
  };
}

export const CONNECTORS = '/api/v1/runtime/v1/connectors';

/** Applies a definition as the operator does. */
export async function applyConnector(app: TestApp, definition: object, tenant = app.tenantId): Promise<void> {
  const { id } = await app.runtime.tenants.get(tenant);
  await app.runtime.connectors.apply(id, definition, null);
}

/** Calls a connector with the app's key. */
export function call(app: TestApp, body: unknown, path = 'pets', headers = {}): Promise<TestResponse> {
  return app.request('POST', `${CONNECTORS}/${path}`, body, headers);
}
