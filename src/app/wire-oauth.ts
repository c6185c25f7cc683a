import { ConsentService } from '../core/oauth/consent.ts';
import { detailsOf } from '../core/oauth/grants.ts';
import { durationMs } from '../core/shared/duration.ts';
import { AuthorizationServers } from '../http/oauth/servers.ts';
import type { Foundation } from './foundation.ts';

const PRUNE_MS = 3_600_000;

export function openOAuth(foundation: Foundation) {
  const { config, oauthStore: store, grants, tokenAuthenticator, tenants, userStore, audit, effects, log } = foundation;
  const servers = new AuthorizationServers({
    store,
    now: effects.now,
    isActiveUser: async (id) => (await userStore.find(id))?.isActive === true,
    isValidToken: (token, audience) =>
      tokenAuthenticator.authenticate(token, audience).then(
        () => true,
        () => false,
      ),
    fetch: async (input, init) => {
      const { guardedFetch } = await import('../outbound/fetch.ts');
      return guardedFetch({ allowPrivateNetwork: false })(input, init);
    },
    onEnded: (grant, reason) =>
      audit.record(null, grant.tenantId, 'grant.ended', grant.id, { ...detailsOf(grant), reason }),
    onError: (error) => log.error({ err: error }, 'authorization server'),
  });
  const consent = new ConsentService({
    requests: servers,
    store,
    tenants,
    audit,
    effects,
    keyLifetimeMs: config.keyLifetime === undefined ? null : durationMs(config.keyLifetime),
  });
  const prune = () => grants.prune().catch((error) => log.error({ err: error }, 'grants could not be pruned'));
  const timer = setInterval(prune, PRUNE_MS).unref();
  return { consent, servers, close: async () => clearInterval(timer) };
}
