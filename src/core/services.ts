import type { AgentService } from './access/auth/agents.ts';
import type { KeyAuthenticator } from './access/auth/key-authenticator.ts';
import type { KeyService } from './access/auth/keys.ts';
import type { LoginService } from './access/auth/logins.ts';
import type { QuotaAdministration } from './access/auth/quotas.ts';
import type { RateLimiter } from './access/auth/rate-limit.ts';
import type { SessionService } from './access/auth/sessions.ts';
import type { TenantService } from './access/auth/tenants.ts';
import type { UsageService } from './access/auth/usage.ts';
import type { InvitationService } from './access/invitations/service.ts';
import type { ConsentService } from './access/oauth/consent.ts';
import type { GrantService } from './access/oauth/grants.ts';
import type { TokenAuthenticator } from './access/oauth/token-authenticator.ts';
import type { LoginSteps } from './access/second-factor/login-steps.ts';
import type { SecondFactorService } from './access/second-factor/service.ts';
import type { StepUp } from './access/second-factor/step-up.ts';
import type { BackchannelLogout } from './access/sso/logout.ts';
import type { IdentityProviderService } from './access/sso/service.ts';
import type { SingleSignOn } from './access/sso/sign-on.ts';
import type { UserService } from './access/users/service.ts';
import type { RubricService } from './agents/assessments/rubrics.ts';
import type { AssessmentService } from './agents/assessments/service.ts';
import type { ProviderTests } from './agents/chat/provider-tests.ts';
import type { ChatService } from './agents/chat/service.ts';
import type { ConnectorExecution } from './agents/connectors/call/execution.ts';
import type { CredentialService } from './agents/connectors/credentials/service.ts';
import type { ImportPreviews } from './agents/connectors/openapi/preview.ts';
import type { ConnectorService } from './agents/connectors/service.ts';
import type { ExecutionListService } from './agents/executions/list.ts';
import type { ExecutionService } from './agents/executions/service.ts';
import type { ThreadService } from './agents/executions/threads.ts';
import type { AgentFeedback } from './agents/feedback/service.ts';
import type { ProviderDefinitions } from './agents/providers/definitions.ts';
import type { ProviderService } from './agents/providers/service.ts';
import type { QueueHandService } from './agents/queues/hands.ts';
import type { QueueService } from './agents/queues/service.ts';
import type { ReviewService } from './agents/reviews/service.ts';
import type { AnnotationService } from './analytics/annotations/service.ts';
import type { DashboardChanges } from './analytics/dashboards/changes/service.ts';
import type { DashboardEdits } from './analytics/dashboards/edits/service.ts';
import type { DashboardLinkService } from './analytics/dashboards/links/service.ts';
import type { SharedTabs } from './analytics/dashboards/links/shared-tabs.ts';
import type { CardPictures } from './analytics/dashboards/pictures.ts';
import type { DashboardService } from './analytics/dashboards/service.ts';
import type { EventService } from './analytics/events/service.ts';
import type { CompactedFile } from './analytics/events/store.ts';
import type { SampleData } from './analytics/first-hour/sample-data.ts';
import type { FirstHour } from './analytics/first-hour/service.ts';
import type { MetricCatalog } from './analytics/metrics/catalog.ts';
import type { Glossary } from './analytics/metrics/glossary.ts';
import type { MetricService } from './analytics/metrics/service.ts';
import type { SegmentService } from './analytics/segments/service.ts';
import type { AuditLog } from './base/audit/log.ts';
import type { ErasureService } from './erasure.ts';
import type { DocumentService } from './knowledge/documents.ts';
import type { KnowledgeSearch } from './knowledge/search.ts';
import type { KnowledgeService } from './knowledge/service.ts';
import type { VectorStoreService } from './knowledge/vector-stores.ts';
import type { QuotaSettings } from './limits/quotas/settings.ts';
import type { BackupDownloads } from './operation/backup.ts';
import type { DataReports } from './operation/data.ts';
import type { SystemReports } from './operation/system.ts';
import type { AlertService } from './watch/alerts/service.ts';
import type { Deliveries } from './watch/deliveries/deliveries.ts';
import type { DigestService } from './watch/digests/service.ts';

/** The transports use nothing else of the core. */
export interface Services {
  tenants: TenantService;
  users: UserService;
  logins: LoginService;
  loginSteps: LoginSteps;
  secondFactors: SecondFactorService;
  stepUp: StepUp;
  sessions: SessionService;
  identityProviders: IdentityProviderService;
  singleSignOn: SingleSignOn;
  backchannelLogout: BackchannelLogout;
  invitations: InvitationService;
  keys: KeyService;
  keyAuthenticator: KeyAuthenticator;
  tokenAuthenticator: TokenAuthenticator;
  grants: GrantService;
  consent: ConsentService;
  agents: AgentService;
  audit: AuditLog;
  rateLimiter: RateLimiter;
  quotas: QuotaSettings;
  usage: UsageService;
  quotaAdministration: QuotaAdministration;
  events: EventService;
  firstHour: FirstHour;
  sampleData: SampleData;
  chat: ChatService;
  metricCatalog: MetricCatalog;
  /** Changes of metrics. */
  metricDefinitions: MetricService;
  glossary: Glossary;
  annotations: AnnotationService;
  alerts: AlertService;
  digests: DigestService;
  deliveries: Deliveries;
  segments: SegmentService;
  dashboards: DashboardService;
  /** Changes of dashboards by agents. */
  dashboardEdits: DashboardEdits;
  /** Former changes of dashboards by agents. */
  dashboardChanges: DashboardChanges;
  dashboardLinks: DashboardLinkService;
  /** Tabs that the secret of a link opens. */
  sharedTabs: SharedTabs;
  pictures: CardPictures;
  feedback: AgentFeedback;
  executions: ExecutionService;
  executionLists: ExecutionListService;
  threads: ThreadService;
  reviews: ReviewService;
  rubrics: RubricService;
  assessments: AssessmentService;
  queues: QueueService;
  /** Items of queues in the hands of reviewers. */
  queueHands: QueueHandService;
  providers: ProviderService;
  providerDefinitions: ProviderDefinitions;
  providerTests: ProviderTests;
  connectors: ConnectorService;
  credentials: CredentialService;
  connectorExecution: ConnectorExecution;
  connectorImports: ImportPreviews;
  knowledge: KnowledgeService;
  vectorStores: VectorStoreService;
  /** Documents of vector stores. */
  documents: DocumentService;
  knowledgeSearch: KnowledgeSearch;
  erasure: ErasureService;
  dataReports: DataReports;
  systemReports: SystemReports;
  backupDownloads: BackupDownloads;
  /** The caller packs and removes the directory. Throws `conflict` while one exists. */
  stageBackup(): Promise<StagedBackup>;
  /** Throws `conflict` on nodes, whose events are in ClickHouse. */
  compactEvents(): Promise<CompactedFile>;
  /** Throws `unavailable` when requests cannot be served. */
  ready(): Promise<Readiness>;
}

export interface Readiness {
  /** The dependencies of a node, and whether each answers. */
  dependencies?: Record<string, 'ok' | 'unavailable'>;
}

/** A consistent copy of everything acknowledged before `createdAt` (epoch milliseconds). */
export interface StagedBackup {
  directory: string;
  createdAt: number;
}
