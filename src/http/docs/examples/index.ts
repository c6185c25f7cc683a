import { alertsExamples } from './alerts.ts';
import { annotationsExamples } from './annotations.ts';
import { assessmentsExamples } from './assessments.ts';
import { connectorsExamples } from './connectors.ts';
import { dashboardsExamples } from './dashboards.ts';
import { digestsExamples } from './digests.ts';
import { eventsExamples } from './events.ts';
import type { ExampleExchange, Examples } from './example.ts';
import { chatExamples, executionsExamples } from './executions.ts';
import { knowledgeExamples } from './knowledge.ts';
import { metricsExamples } from './metrics.ts';
import { operationExamples, usageExamples } from './operation.ts';
import { portalConnectorsExamples, portalCredentialsExamples } from './portal/connectors.ts';
import { portalDiscoveryExamples } from './portal/discovery.ts';
import { portalFirstHourExamples } from './portal/first-hour.ts';
import { portalGrantsExamples } from './portal/grants.ts';
import { portalIdentityProvidersExamples } from './portal/identity-providers.ts';
import { portalKeysExamples } from './portal/keys.ts';
import { portalDataExamples, portalSystemExamples } from './portal/operation.ts';
import { portalProvidersExamples } from './portal/providers.ts';
import { portalSecondFactorExamples } from './portal/second-factor.ts';
import { portalSessionExamples } from './portal/sessions.ts';
import { portalAgentsExamples, portalAuditLogExamples, portalSettingsExamples } from './portal/tenant.ts';
import { queuesExamples } from './queues.ts';
import { reviewsExamples } from './reviews.ts';
import { segmentsExamples } from './segments.ts';
import { usersExamples } from './users.ts';

const all: Examples = {
  ...eventsExamples,
  ...chatExamples,
  ...executionsExamples,
  ...knowledgeExamples,
  ...reviewsExamples,
  ...assessmentsExamples,
  ...queuesExamples,
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
  ...portalProvidersExamples,
  ...portalDiscoveryExamples,
  ...metricsExamples,
  ...annotationsExamples,
  ...alertsExamples,
  ...digestsExamples,
  ...segmentsExamples,
  ...portalSettingsExamples,
  ...portalIdentityProvidersExamples,
  ...portalAuditLogExamples,
  ...portalFirstHourExamples,
  ...portalDataExamples,
  ...portalSystemExamples,
  ...operationExamples,
};

/** Each example follows those it needs; a test sends them to a server. */
export const examples: Record<string, Record<string, ExampleExchange>> = Object.fromEntries(
  Object.entries(all).map(([operationId, named]) => [operationId, complete(named)]),
);

function complete(named: Examples[string]): Record<string, ExampleExchange> {
  const exchanges = Object.entries(named).map(([name, { status, ...exchange }]) => {
    return [name, { ...exchange, status: status ?? (exchange.answer === undefined ? 204 : 200) }];
  });
  return Object.fromEntries(exchanges);
}
