import type { Route } from '../../route.ts';
import { agentRoutes } from './agents.ts';
import { auditRoutes } from './audit-log.ts';
import { portalConnectorRoutes } from './connectors.ts';
import { credentialRoutes } from './credentials.ts';
import { discoveryRoutes } from './discovery.ts';
import { grantRoutes } from './grants.ts';
import { identityProviderRoutes } from './identity-providers.ts';
import { keyRoutes } from './keys.ts';
import { loginStepRoutes } from './login-steps.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { portalUserRoutes } from './users.ts';

/** For user tokens, never for API keys. */
export const portalRoutes: Route[] = [
  ...sessionRoutes,
  ...loginStepRoutes,
  ...secondFactorRoutes,
  ...keyRoutes,
  ...grantRoutes,
  ...portalUserRoutes,
  ...agentRoutes,
  ...portalConnectorRoutes,
  ...credentialRoutes,
  ...discoveryRoutes,
  ...settingsRoutes,
  ...identityProviderRoutes,
  ...auditRoutes,
];
