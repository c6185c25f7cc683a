import createFetchClient from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { paths } from '../../../clients/typescript/api.d.ts';

export type { Schemas } from './schemas.ts';

/** The path that the server lies below, with a slash at its end. */
export const basePath = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '/',
  document.baseURI,
).pathname;

/** A method per HTTP method, typed by the API's paths. The session is a cookie. */
export const client = createFetchClient<paths>({
  baseUrl: basePath.replace(/\/$/, ''),
  headers: { 'x-requested-with': 'portal' },
});

/** The same as queries and mutations of TanStack Query. */
export const api = createQueryClient(client);
