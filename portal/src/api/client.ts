import createFetchClient from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { paths } from '../../../clients/typescript/api.d.ts';
import { t } from '../language/index.ts';
import { askStepUp, needsStepUp } from './step-up.ts';

export type { Schemas } from './schemas.ts';

/** The path below which the server is mounted, with a trailing slash. */
export const basePath = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '/',
  document.baseURI,
).pathname;

/** The server's address, without a slash at its end. */
export const serverUrl = (window.location.origin + basePath).replace(/\/$/, '');

/** One method for each HTTP method, typed by the API's paths. The session is in a cookie. */
export const client = createFetchClient<paths>({
  baseUrl: basePath.replace(/\/$/, ''),
  headers: { 'x-requested-with': 'portal' },
});

/** The data of an answer. Throws the error that the server answered. */
export async function answerOf<Data>(request: Promise<{ data?: Data; error?: unknown; response: Response }>) {
  const { data, error, response } = await request;
  if (!response.ok) throw error;
  return data as Exclude<Data, undefined>;
}

let endSession: () => void = () => undefined;

/** `listener` is called when the server answers 401: the session has ended. */
export function onSessionEnd(listener: () => void): void {
  endSession = listener;
}

/** For requests that do not go through the client. */
export function reportSessionEnd(): void {
  endSession();
}

const ENDED = { statusCode: 401, error: 'Unauthorized', message: t('Your session has ended. Log in again.') };

client.use({
  onResponse({ response, schemaPath }) {
    if (response.status !== 401 || /^\/api\/v1\/portal\/log(in|out)/.test(schemaPath)) return undefined;
    endSession();
    return Response.json(ENDED, { status: 401 });
  },
});

/** Bodies can be read once: changes that may need a second factor are kept until they are answered. */
const copies = new Map<string, () => Request>();
const NOT_GIVEN = {
  statusCode: 403,
  error: 'Forbidden',
  message: t('Nothing was changed: this needs your second factor.'),
};

// Used last, it sees answers first: the other also checks the repeated request.
client.use({
  async onRequest({ id, request }) {
    if (request.method === 'GET') return undefined;
    const body = await request.arrayBuffer();
    const copy = () => new Request(request, body.byteLength > 0 ? { body } : {});
    copies.set(id, copy);
    return copy();
  },
  async onResponse({ id, response }) {
    const copy = copies.get(id);
    copies.delete(id);
    if (!copy || !needsStepUp(response)) return undefined;
    return (await askStepUp()) ? fetch(copy()) : Response.json(NOT_GIVEN, { status: 403 });
  },
  onError({ id }) {
    copies.delete(id);
  },
});

/** The client as queries and mutations of TanStack Query. */
export const api = createQueryClient(client);
