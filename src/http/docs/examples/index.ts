import { alertsExamples } from './alerts.ts';
import { annotationsExamples } from './annotations.ts';
import { chatExamples } from './chat.ts';
import { connectorsExamples } from './connectors.ts';
import { dashboardsExamples } from './dashboards.ts';
import { digestsExamples } from './digests.ts';
import { eventsExamples } from './events.ts';
import type { Examples } from './example.ts';
import { executionsExamples } from './executions.ts';
import { knowledgeExamples } from './knowledge.ts';
import { metricsExamples } from './metrics.ts';
import { operationExamples } from './operation.ts';
import { portalAgentsExamples } from './portal/agents.ts';
import { portalAuditLogExamples } from './portal/audit-log.ts';
import { portalConnectorsExamples } from './portal/connectors.ts';
import { portalCredentialsExamples } from './portal/credentials.ts';
import { portalDiscoveryExamples } from './portal/discovery.ts';
import { portalGrantsExamples } from './portal/grants.ts';
import { portalIdentityProvidersExamples } from './portal/identity-providers.ts';
import { portalKeysExamples } from './portal/keys.ts';
import { portalSecondFactorExamples } from './portal/second-factor.ts';
import { portalSessionExamples } from './portal/sessions.ts';
import { portalSettingsExamples } from './portal/settings.ts';
import { reviewsExamples } from './reviews.ts';
import { segmentsExamples } from './segments.ts';
import { usageExamples } from './usage.ts';
import { usersExamples } from './users.ts';

/** Each example follows those it needs; a test sends them to a server. */
export const examples: Examples = {
  ...eventsExamples,
  ...chatExamples,
  ...executionsExamples,
  ...knowledgeExamples,
  ...reviewsExamples,
  ...dashboardsExamples,
  ...connectorsExamples,
  ...usageExamples,
  ...portalSessionExamples,
  ...usersExamples,
  ...portalSecondFactorExamples,
  ...portalKeysExamples,
  ...portalGrantsExamples,
  ...portalAgentsExamples,
  ...portalConnectorsExamples,
  ...portalCredentialsExamples,
  ...portalDiscoveryExamples,
  ...metricsExamples,
  ...annotationsExamples,
  ...alertsExamples,
  ...digestsExamples,
  ...segmentsExamples,
  ...portalSettingsExamples,
  ...portalIdentityProvidersExamples,
  ...portalAuditLogExamples,
  ...operationExamples,
};
