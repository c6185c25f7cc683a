import type { AuditLog } from './audit/log.ts';
import type { AgentService } from './auth/agents.ts';
import type { KeyService } from './auth/keys.ts';
import type { LoginService } from './auth/logins.ts';
import type { RateLimiter } from './auth/rate-limit.ts';
import type { AuthService } from './auth/service.ts';
import type { SessionService } from './auth/sessions.ts';
import type { SettingsService } from './auth/settings.ts';
import type { StagedBackup } from './backup.ts';
import type { ChatService } from './chat/service.ts';
import type { ConnectorExecution } from './connectors/call/execution.ts';
import type { CredentialService } from './connectors/credentials/service.ts';
import type { ConnectorService } from './connectors/service.ts';
import type { DashboardService } from './dashboards/service.ts';
import type { ErasureService } from './erasure.ts';
import type { EventService } from './events/service.ts';
import type { ExecutionService } from './executions/service.ts';
import type { KnowledgeSearch } from './knowledge/search.ts';
import type { KnowledgeService } from './knowledge/service.ts';
import type { ProviderService } from './providers/service.ts';
import type { QuotaSettings } from './quotas/settings.ts';
import type { UsageService } from './quotas/usage.ts';
import type { ReviewService } from './reviews/service.ts';
import type { UserService } from './users/service.ts';

/** Everything a user can do. The doors (REST, MCP, portal) translate to these and know nothing else. */
export interface Services {
  auth: AuthService;
  users: UserService;
  logins: LoginService;
  sessions: SessionService;
  keys: KeyService;
  agents: AgentService;
  settings: SettingsService;
  audit: AuditLog;
  rateLimiter: RateLimiter;
  quotas: QuotaSettings;
  usage: UsageService;
  events: EventService;
  chat: ChatService;
  dashboards: DashboardService;
  executions: ExecutionService;
  reviews: ReviewService;
  providers: ProviderService;
  connectors: ConnectorService;
  credentials: CredentialService;
  connectorExecution: ConnectorExecution;
  knowledge: KnowledgeService;
  knowledgeSearch: KnowledgeSearch;
  erasure: ErasureService;
  /** Copies everything into a directory; whoever asks packs it and removes it. `conflict` while there is one. */
  stageBackup(): Promise<StagedBackup>;
  /** Resolves when every store answers. */
  ready(): Promise<void>;
}
