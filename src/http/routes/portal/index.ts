import type { Route } from '../../route.ts';
import { agentRoutes } from './agents.ts';
import { aggregateRoutes } from './aggregate.ts';
import { auditRoutes } from './audit-log.ts';
import { portalConnectorRoutes } from './connectors.ts';
import { credentialRoutes } from './credentials.ts';
import { discoveryRoutes } from './discovery.ts';
import { keyRoutes } from './keys.ts';
import { sessionRoutes } from './sessions.ts';
import { settingsRoutes } from './settings.ts';
import { portalUserRoutes } from './users.ts';

/** What the portal's pages ask for; with the token of a login, never with an API key. */
export const portalRoutes: Route[] = [
  ...sessionRoutes,
  ...keyRoutes,
  ...portalUserRoutes,
  ...agentRoutes,
  ...portalConnectorRoutes,
  ...credentialRoutes,
  ...discoveryRoutes,
  ...aggregateRoutes,
  ...settingsRoutes,
  ...auditRoutes,
];
