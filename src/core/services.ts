import type { AlertService } from './alerts/service.ts';
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
import type { Deliveries } from './deliveries/deliveries.ts';
import type { DigestService } from './digests/service.ts';
import type { ErasureService } from './erasure.ts';
import type { EventService } from './events/service.ts';
import type { ExecutionService } from './executions/service.ts';
import type { AgentFeedback } from './feedback/service.ts';
import type { KnowledgeSearch } from './knowledge/search.ts';
import type { KnowledgeService } from './knowledge/service.ts';
import type { MetricCatalog } from './metrics/catalog.ts';
import type { Glossary } from './metrics/glossary.ts';
import type { MetricService } from './metrics/service.ts';
import type { ConsentService } from './oauth/consent.ts';
import type { GrantService } from './oauth/grants.ts';
import type { TokenAuthenticator } from './oauth/token-authenticator.ts';
import type { ProviderService } from './providers/service.ts';
import type { QuotaSettings } from './quotas/settings.ts';
import type { UsageService } from './quotas/usage.ts';
import type { ReviewService } from './reviews/service.ts';
import type { LoginSteps } from './second-factor/login-steps.ts';
import type { SecondFactorService } from './second-factor/service.ts';
import type { StepUp } from './second-factor/step-up.ts';
import type { SegmentService } from './segments/service.ts';
import type { BackchannelLogout } from './sso/logout.ts';
import type { IdentityProviderService } from './sso/service.ts';
import type { SingleSignOn } from './sso/sign-on.ts';
import type { UserService } from './users/service.ts';

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
  events: EventService;
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
  /** Throws `unavailable` when requests cannot be served. */
  ready(): Promise<Readiness>;
}

export interface Readiness {
  /** Of nodes: what they need, and whether it answers. */
  dependencies?: Record<string, 'ok' | 'unavailable'>;
}
