import type { AnnotationService } from './annotations/service.ts';
import type { AuditLog } from './audit/log.ts';
import type { AgentService } from './auth/agents.ts';
import type { KeyAuthenticator } from './auth/key-authenticator.ts';
import type { KeyService } from './auth/keys.ts';
import type { LoginService } from './auth/logins.ts';
import type { RateLimiter } from './auth/rate-limit.ts';
import type { SessionService } from './auth/sessions.ts';
import type { TenantService } from './auth/tenants.ts';
import type { StagedBackup } from './backup.ts';
import type { ChatService } from './chat/service.ts';
import type { ConnectorExecution } from './connectors/call/execution.ts';
import type { CredentialService } from './connectors/credentials/service.ts';
import type { ConnectorService } from './connectors/service.ts';
import type { CardPictures } from './dashboards/pictures.ts';
import type { DashboardService } from './dashboards/service.ts';
import type { ErasureService } from './erasure.ts';
import type { EventService } from './events/service.ts';
import type { ExecutionService } from './executions/service.ts';
import type { AgentFeedback } from './feedback/service.ts';
import type { KnowledgeSearch } from './knowledge/search.ts';
import type { KnowledgeService } from './knowledge/service.ts';
import type { MetricCatalog } from './metrics/catalog.ts';
import type { Glossary } from './metrics/glossary.ts';
import type { MetricService } from './metrics/service.ts';
import type { ProviderService } from './providers/service.ts';
import type { QuotaSettings } from './quotas/settings.ts';
import type { UsageService } from './quotas/usage.ts';
import type { ReviewService } from './reviews/service.ts';
import type { SegmentService } from './segments/service.ts';
import type { UserService } from './users/service.ts';

/** The transports use nothing else of the core. */
export interface Services {
  tenants: TenantService;
  users: UserService;
  logins: LoginService;
  sessions: SessionService;
  keys: KeyService;
  keyAuthenticator: KeyAuthenticator;
  agents: AgentService;
  audit: AuditLog;
  rateLimiter: RateLimiter;
  quotas: QuotaSettings;
  usage: UsageService;
  events: EventService;
  chat: ChatService;
  metricCatalog: MetricCatalog;
  /** Changes of metrics. */
  metricDefinitions: MetricService;
  glossary: Glossary;
  annotations: AnnotationService;
  segments: SegmentService;
  dashboards: DashboardService;
  pictures: CardPictures;
  feedback: AgentFeedback;
  executions: ExecutionService;
  reviews: ReviewService;
  providers: ProviderService;
  connectors: ConnectorService;
  credentials: CredentialService;
  connectorExecution: ConnectorExecution;
  knowledge: KnowledgeService;
  knowledgeSearch: KnowledgeSearch;
  erasure: ErasureService;
  /** The caller packs and removes the directory. Throws `conflict` while one exists. */
  stageBackup(): Promise<StagedBackup>;
  ready(): Promise<void>;
}
