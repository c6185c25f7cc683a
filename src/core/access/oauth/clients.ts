import { z } from 'zod';
import type { AuditLog } from '../../base/audit/log.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { parse } from '../../base/shared/parse.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { PageQuery } from '../auth/schema.ts';
import { hashSecret, newSecret } from '../auth/secrets.ts';
import type { ShownOAuthClient } from './schema.ts';
import type { ClientKind, OAuthStore, StoredClient, StoredGrant } from './store.ts';

const redirectUri = z
  .string()
  .max(2_000)
  .refine(
    isRedirect,
    'must be an https address, http on this machine (http://localhost/callback), or have a scheme of an app (cursor://…)',
  );

export const configureClientSchema = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(100),
  redirectUris: z.array(redirectUri).min(1, 'needs at least one address').max(20, 'must hold at most 20 addresses'),
  /** Gets a secret, for applications that run on a server. */
  confidential: z.boolean().default(false),
  /** May ask about every access token (RFC 7662). Needs `confidential`. */
  introspection: z.boolean().default(false),
});
export type ConfigureClient = z.input<typeof configureClientSchema>;

export interface ConfiguredClient {
  clientId: string;
  /** Shown once. Null: a public client. */
  clientSecret: string | null;
  name: string;
  redirectUris: string[];
}

/** For the operator. */
export interface ListedClient {
  clientId: string;
  kind: StoredClient['kind'];
  name: string | null;
  redirectUris: string[];
  createdAt: string;
  lastUsedAt: string | null;
}

interface ClientParts {
  store: OAuthStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/**
 * Applications that the operator knows, and those that registered themselves. Of the whole
 * installation.
 */
export class ClientService {
  private readonly parts: ClientParts;

  constructor(parts: ClientParts) {
    this.parts = parts;
  }

  async configure(input: ConfigureClient): Promise<ConfiguredClient> {
    const { name, redirectUris, confidential, introspection } = parse(configureClientSchema, input);
    const { store, audit, effects } = this.parts;
    const secret = confidential || introspection ? newSecret() : null;
    const id = newSecret();
    const metadata = {
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: secret === null ? 'none' : 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(introspection && { introspection }),
    };
    const secretHash = secret === null ? null : hashSecret(secret);
    const createdAt = effects.now();
    await store.putClient({ id, kind: 'configured', name, metadata, secretHash, createdAt, lastUsedAt: null });
    await audit.record(null, null, 'oauth_client.configured', id, { name, redirectUris });
    return { clientId: id, clientSecret: secret, name, redirectUris };
  }

  /** Newest first. */
  async list(query: PageQuery): Promise<Page<ListedClient>> {
    const { items, total } = await this.parts.store.clients(query);
    return { items: items.map(listed), total };
  }

  /** Ends its grants as well, also those of a client with a document. Throws `not_found`. */
  async remove(id: string): Promise<void> {
    const { store, audit, effects } = this.parts;
    const { removed, ended } = await store.removeClient(id, effects.now());
    if (!removed && ended.length === 0) throw notFound(`There is no client ${JSON.stringify(id)}.`);
    await audit.record(null, null, 'oauth_client.removed', id, { grants: ended.length });
    for (const grant of ended) await audit.record(null, grant.tenantId, 'grant.ended', grant.id, grantDetails(grant));
  }
}

function listed({ id, kind, name, metadata, createdAt, lastUsedAt }: StoredClient): ListedClient {
  return {
    clientId: id,
    kind,
    name,
    redirectUris: [metadata.redirect_uris ?? []].flat().map(String),
    createdAt: formatUtc(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatUtc(lastUsedAt),
  };
}

const FORBIDDEN_SCHEMES = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:']);

function isRedirect(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol === 'http:') return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return !FORBIDDEN_SCHEMES.has(protocol);
}

interface NamedClient {
  clientId: string;
  clientName: string | null;
  clientKind: ClientKind;
}

export function shownClient({ clientId, clientName, clientKind }: NamedClient): ShownOAuthClient {
  const host = clientKind === 'document' ? new URL(clientId).host : null;
  return { id: clientId, name: clientName, kind: clientKind, host };
}

/** For logs: never a self-given name alone, which anybody may use. */
export function clientLabel(client: NamedClient): string {
  const { clientId, clientName, clientKind } = client;
  if (clientKind === 'document') return clientId.split('/')[2] ?? clientId;
  return clientKind === 'configured' && clientName !== null ? clientName : `${clientName ?? 'unnamed'} (${clientId})`;
}

/** Details of a grant for the audit log. */
export function grantDetails(grant: StoredGrant): Record<string, unknown> {
  return { client: clientLabel(grant), user: grant.userId, scopes: grant.scopes };
}
