import type { Config } from '../config.ts';
import { AgentService } from '../core/access/auth/agents.ts';
import { DeviceCookies } from '../core/access/auth/device-cookies.ts';
import { KeyAuthenticator } from '../core/access/auth/key-authenticator.ts';
import { KeyService } from '../core/access/auth/keys.ts';
import { LoginService } from '../core/access/auth/logins.ts';
import { PasswordHasher } from '../core/access/auth/password-hash.ts';
import { SessionService } from '../core/access/auth/sessions.ts';
import { TenantService } from '../core/access/auth/tenants.ts';
import { Tokens } from '../core/access/auth/tokens.ts';
import { ClientService } from '../core/access/oauth/clients.ts';
import { GrantService } from '../core/access/oauth/grants.ts';
import { TokenAuthenticator } from '../core/access/oauth/token-authenticator.ts';
import { SecondFactorEnrolment } from '../core/access/second-factor/enrolment.ts';
import { LoginSteps } from '../core/access/second-factor/login-steps.ts';
import { SecondFactorService } from '../core/access/second-factor/service.ts';
import { StepUp } from '../core/access/second-factor/step-up.ts';
import { SecondFactorVerification } from '../core/access/second-factor/verification.ts';
import type { AuditLog } from '../core/base/audit/log.ts';
import type { SealingKeys } from '../core/base/sealing/sealing.ts';
import type { SecretKey } from '../core/base/sealing/secret-key.ts';
import type { Effects } from '../core/base/shared/effects.ts';
import { durationMs } from '../core/base/time/units.ts';
import type { LimitStores } from '../core/limits/rates/limits.ts';
import type { Log } from '../logging/log.ts';
import type { StateDatabase } from '../storage/state/sql/database.ts';
import { SqlInvitationStore } from '../storage/state/sql/invitations.ts';
import { SqlKeyStore } from '../storage/state/sql/keys.ts';
import { SqlOAuthStore } from '../storage/state/sql/oauth.ts';
import { SqlSecondFactorStore } from '../storage/state/sql/second-factor.ts';
import { SqlSessionStore } from '../storage/state/sql/sessions.ts';
import { SqlIdentityStore } from '../storage/state/sql/sso/identities.ts';
import { SqlIdentityProviderStore } from '../storage/state/sql/sso/providers.ts';
import { SqlAgentStore, SqlTenantStore } from '../storage/state/sql/tenants.ts';
import { SqlUserStore } from '../storage/state/sql/users.ts';
import { openSingleSignOn } from './sso.ts';

interface AccessParts {
  config: Config;
  database: StateDatabase;
  /** Other processes write to the database as well. */
  isShared: boolean;
  limits: LimitStores;
  secretKey: SecretKey;
  sealingKeys: SealingKeys;
  audit: AuditLog;
  effects: Effects;
  log: Log;
}

/** Tenants and their agents, keys, users with all ways to log in, applications by OAuth. */
export function openAccess(parts: AccessParts) {
  const { config, database, isShared, limits, secretKey, sealingKeys, audit, effects, log } = parts;
  const tenantStore = new SqlTenantStore(database);
  const userStore = new SqlUserStore(database);
  const agentStore = new SqlAgentStore(database);
  const keyStore = new SqlKeyStore(database);
  const oauthStore = new SqlOAuthStore(database);
  const sessionStore = new SqlSessionStore(database);
  const tenants = new TenantService({
    ...{ store: tenantStore, agents: agentStore, audit, effects, isShared },
    onError: (error) => log.error({ err: error }, 'erasures of tenants could not be followed'),
    requireOtherLogin: (by) => sso.identityProviders.requireOtherLogin(by),
  });
  const agents = new AgentService({ store: agentStore, tenants, audit, effects });
  const keys = new KeyService({
    ...{ store: keyStore, agents, users: userStore, audit, effects },
    lifetimeMs: config.keyLifetime === undefined ? null : durationMs(config.keyLifetime),
    creations: limits.buckets('new keys'),
  });
  const tokens = new Tokens({ secretKey, effects });
  const passwords = new PasswordHasher(effects.hashing);
  const loginParts = { users: userStore, tenants, audit, effects };
  const sessions = new SessionService({ ...loginParts, sessions: sessionStore, tokens });
  const logins = new LoginService({
    ...loginParts,
    ...{ failures: limits.failures, pending: limits.pending, sessions, passwords },
    devices: new DeviceCookies({ secretKey, now: effects.now }),
    onFailure: (failed) => log.warn(failed, 'login failed'),
  });
  const factorParts = {
    ...loginParts,
    store: new SqlSecondFactorStore(database),
    sealingKeys,
    pending: limits.pending,
    publicUrl: config.publicUrl,
  };
  const verification = new SecondFactorVerification({
    ...factorParts,
    attempt: (user, method) => logins.secondFactorAttempt(user, method),
  });
  const enrolment = new SecondFactorEnrolment(factorParts);
  const stepUp = new StepUp({ ...factorParts, verification, sessions: sessionStore });
  const sso = openSingleSignOn({
    ...{ config, log, ...loginParts, logins, secretKey, sealingKeys },
    store: new SqlIdentityProviderStore(database),
    identities: new SqlIdentityStore(database),
  });
  return {
    ...sso,
    ...{ tenants, agents, keys, logins, sessions, passwords, stepUp },
    ...{ tenantStore, userStore, keyStore, oauthStore, sessionStore },
    invitationStore: new SqlInvitationStore(database),
    keyAuthenticator: new KeyAuthenticator({ store: keyStore, tenants, effects }),
    grants: new GrantService({ store: oauthStore, audit, effects }),
    tokenAuthenticator: new TokenAuthenticator({ store: oauthStore, tenants, effects }),
    oauthClients: new ClientService({ store: oauthStore, audit, effects }),
    loginSteps: new LoginSteps({ ...factorParts, verification, enrolment, logins }),
    secondFactors: new SecondFactorService({ ...factorParts, sessions, enrolment, stepUp }),
  };
}
