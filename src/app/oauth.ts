import { clientLabel, grantDetails } from '../core/access/oauth/clients.ts';
import { ConsentService } from '../core/access/oauth/consent.ts';
import { EnterpriseGrants } from '../core/access/oauth/enterprise-grants.ts';
import type { StoredGrant } from '../core/access/oauth/store.ts';
import { PeriodicTask } from '../core/base/concurrency/timers.ts';
import { durationMs } from '../core/base/time/units.ts';
import { AuthorizationServers } from '../http/oauth/servers.ts';
import { ClientMetadataFetcher } from '../identity/client-metadata-fetcher.ts';
import type { OpenStores } from './open-stores.ts';

const PRUNE_MS = 600_000;

export function openOAuth(stores: OpenStores) {
  const { config, oauthStore: store, grants, tokenAuthenticator, tenants, userStore, audit, effects, log } = stores;
  const { maintenance, idJags } = stores;
  const documents = new ClientMetadataFetcher(config.identityNetworks, effects.now);
  const recordEnd = async (grant: StoredGrant, reason: string) => {
    const { tenantId, userId } = grant;
    const label = (await userStore.find(userId))?.email ?? userId;
    const actor = { kind: 'user', id: userId, label, client: clientLabel(grant) } as const;
    await audit.record(actor, tenantId, 'grant.ended', grant.id, { ...grantDetails(grant), reason });
  };
  const enterpriseGrants = new EnterpriseGrants({ idJags, store, audit, effects });
  const servers = new AuthorizationServers({
    store,
    secretKey: stores.secretKey,
    now: effects.now,
    isActiveUser: async (id) => (await userStore.find(id))?.isActive === true,
    isLive: async ({ tenantId, userId, sessionVersion }) => {
      const user = await userStore.find(userId);
      return user?.isActive === true && user.sessionVersion === sessionVersion && !tenants.isBlocked(tenantId);
    },
    callerOf: (token, audience) => tokenAuthenticator.authenticate(token, audience).catch(() => null),
    mayFetch: (clientId, base, address) => documents.admit(clientId, base, address),
    fetch: (input, init) => documents.fetch(input, init),
    assertedGrant: (request) => enterpriseGrants.grantFor(request),
    onEnded: (grant, reason) => recordEnd(grant, reason),
    onError: (error) => log.error({ err: error }, 'authorization server'),
  });
  const consent = new ConsentService({
    requests: servers,
    store,
    tenants,
    users: userStore,
    audit,
    effects,
    keyLifetimeMs: config.keyLifetime === undefined ? null : durationMs(config.keyLifetime),
  });
  const pruning = new PeriodicTask({
    everyMs: PRUNE_MS,
    run: async () => (await maintenance.held('oauth', PRUNE_MS)) && grants.prune(),
    onError: (error) => log.error({ err: error }, 'grants could not be pruned'),
  });
  return { consent, servers, close: () => pruning.close() };
}
