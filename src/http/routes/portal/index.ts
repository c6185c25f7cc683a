import type { Route } from '../../route.ts';
import { portalUserRoutes } from '../users.ts';
import { auditRoutes } from './audit-log.ts';
import { connectorCheckRoutes } from './connector-checks.ts';
import { credentialRoutes, portalConnectorRoutes } from './connectors.ts';
import { discoveryRoutes } from './discovery.ts';
import { firstHourRoutes } from './first-hour.ts';
import { grantRoutes } from './grants.ts';
import { identityProviderRoutes } from './identity-providers.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { loginStepRoutes } from './login-steps.ts';
import { backupRoutes, dataRoutes, systemRoutes } from './operation.ts';
import { modelProviderRoutes } from './providers.ts';
import { quotaRoutes } from './quotas.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { sessionRoutes } from './sessions.ts';
import { agentRoutes, settingsRoutes } from './tenant.ts';

/** For user tokens, never for API keys. */
export const portalRoutes: Route[] = [
  ...sessionRoutes,
  ...loginStepRoutes,
  ...secondFactorRoutes,
  ...keyRoutes,
  ...grantRoutes,
  ...portalUserRoutes,
  ...invitationRoutes,
  ...agentRoutes,
  ...portalConnectorRoutes,
  ...connectorCheckRoutes,
  ...credentialRoutes,
  ...modelProviderRoutes,
  ...discoveryRoutes,
  ...firstHourRoutes,
  ...settingsRoutes,
  ...identityProviderRoutes,
  ...quotaRoutes,
  ...auditRoutes,
  ...dataRoutes,
  ...backupRoutes,
  ...systemRoutes,
];
