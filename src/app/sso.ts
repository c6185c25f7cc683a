import type { Config } from '../config.ts';
import type { LoginService } from '../core/access/auth/logins.ts';
import type { TenantService } from '../core/access/auth/tenants.ts';
import { IdJags } from '../core/access/sso/id-jag.ts';
import { BackchannelLogout } from '../core/access/sso/logout.ts';
import type { RelyingParty } from '../core/access/sso/relying-party.ts';
import { IdentityProviderService } from '../core/access/sso/service.ts';
import { SingleSignOn } from '../core/access/sso/sign-on.ts';
import { SsoUsers } from '../core/access/sso/sso-users.ts';
import type { IdentityProviderStore, IdentityStore } from '../core/access/sso/store.ts';
import type { UserStore } from '../core/access/users/store.ts';
import type { AuditLog } from '../core/base/audit/log.ts';
import type { SealingKeys } from '../core/base/sealing/sealing.ts';
import type { SecretKey } from '../core/base/sealing/secret-key.ts';
import type { Effects } from '../core/base/shared/effects.ts';
import type { Log } from '../logging/log.ts';

interface SingleSignOnParts {
  config: Pick<Config, 'identityNetworks'>;
  store: IdentityProviderStore;
  identities: IdentityStore;
  users: UserStore;
  tenants: TenantService;
  logins: LoginService;
  secretKey: SecretKey;
  sealingKeys: SealingKeys;
  audit: AuditLog;
  effects: Effects;
  log: Log;
}

export function openSingleSignOn(parts: SingleSignOnParts) {
  const { config, log, effects } = parts;
  const networks = config.identityNetworks;
  const relyingParty = relyingPartyOnUse(networks, effects.now);
  const identityProviders = new IdentityProviderService({ ...parts, relyingParty, networks });
  const both = { ...parts, relyingParty, providers: identityProviders };
  return {
    identityProviders,
    singleSignOn: new SingleSignOn({ ...both, onFailure: (failed) => log.warn(failed, 'single sign-on failed') }),
    idJags: new IdJags({
      ...both,
      people: new SsoUsers(parts),
      onRefusal: (refused) => log.warn(refused, 'an identity assertion was refused'),
    }),
    backchannelLogout: new BackchannelLogout({
      ...both,
      onFailure: (failed) => log.warn(failed, 'a back-channel logout was refused'),
    }),
  };
}

/** openid-client and undici are large, and loaded with the first login. */
function relyingPartyOnUse(networks: readonly string[], now: () => number): RelyingParty {
  let made: Promise<RelyingParty> | undefined;
  const load = async (): Promise<RelyingParty> => {
    const [{ OpenidRelyingParty }, { IdentityRequests }] = await Promise.all([
      import('../identity/relying-party.ts'),
      import('../identity/fetch.ts'),
    ]);
    return new OpenidRelyingParty({ requests: new IdentityRequests(networks), now });
  };
  const loaded = () => {
    made ??= load();
    return made;
  };
  return {
    authorizationUrl: async (...given) => (await loaded()).authorizationUrl(...given),
    claims: async (...given) => (await loaded()).claims(...given),
    logoutClaims: async (...given) => (await loaded()).logoutClaims(...given),
    signedJwt: async (...given) => (await loaded()).signedJwt(...given),
    examine: async (...given) => (await loaded()).examine(...given),
  };
}
