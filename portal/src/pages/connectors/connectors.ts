import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';
import { versionedAnswerOf } from '../../api/versions.ts';
import { t } from '../../language/index.ts';
import type { Definition, EnvironmentName } from './types.ts';

export const CONNECTORS = '/api/v1/portal/connectors';
const CONNECTOR = `${CONNECTORS}/{slug}` as const;

export const ENVIRONMENT_LABELS: Record<EnvironmentName, string> = {
  production: t('production'),
  staging: t('staging'),
};

export const AUTH_LABELS: Record<Definition['auth']['type'], string> = {
  none: t('None|authentication'),
  bearer: t('Bearer token'),
  basic: t('User and password'),
  apiKey: t('API key'),
  oauth2: t('OAuth 2.0 client credentials'),
};

/** More than a tenant has: the page searches in them itself. */
const MOST = 500;

export const connectorsQuery = api.queryOptions(
  'get',
  CONNECTORS,
  { params: { query: { limit: MOST } } },
  { placeholderData: keepPreviousData },
);

export const readConnector = (slug: string) => versionedAnswerOf(client.GET(CONNECTOR, { params: { path: { slug } } }));

/** The connector with its ETag, for pages that change it. */
export function connectorQuery(slug: string) {
  return queryOptions({ queryKey: ['get', CONNECTOR, slug], queryFn: () => readConnector(slug) });
}

interface Expected {
  'if-match'?: string;
  'if-none-match'?: string;
}

/** The server checks the definition, which may come from a typed text. */
export function putConnector(slug: string, definition: object, header: Expected) {
  const body = definition as Schemas['PutConnector'];
  return versionedAnswerOf(client.PUT(CONNECTOR, { params: { path: { slug }, header }, body }));
}

export const connectorsChanged = () => invalidate((path) => path.startsWith(CONNECTORS));
