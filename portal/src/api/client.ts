import createFetchClient from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { paths } from '../../../clients/typescript/api.d.ts';

export type { Schemas } from './schemas.ts';

/** The path below which the server is mounted, with a trailing slash. */
export const basePath = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '/',
  document.baseURI,
).pathname;

/** One method for each HTTP method, typed by the API's paths. The session is in a cookie. */
export const client = createFetchClient<paths>({
  baseUrl: basePath.replace(/\/$/, ''),
  headers: { 'x-requested-with': 'portal' },
});

let endSession: () => void = () => undefined;

/** `listener` is called when the server answers 401: the session has ended. */
export function onSessionEnd(listener: () => void): void {
  endSession = listener;
}

const ENDED = { statusCode: 401, error: 'Unauthorized', message: 'Your session has ended. Log in again.' };

client.use({
  onResponse({ response, schemaPath }) {
    if (response.status !== 401 || schemaPath.startsWith('/api/v1/portal/login')) return undefined;
    endSession();
    return Response.json(ENDED, { status: 401 });
  },
});

/** The client as queries and mutations of TanStack Query. */
export const api = createQueryClient(client);
