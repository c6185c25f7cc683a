import type { Migration } from 'kysely/migration';
import { up as tenantsAndKeys } from './0001-tenants-and-keys.ts';
import { up as dashboards } from './0002-dashboards.ts';
import { up as retention } from './0003-retention.ts';
import { up as people } from './0004-people.ts';
import { up as executionsAndReviews } from './0005-executions-and-reviews.ts';
import { up as providers } from './0006-providers.ts';
import { up as chats } from './0007-chats.ts';
import { up as connectors } from './0008-connectors.ts';
import { up as sessions } from './0009-sessions.ts';
import { up as quotas } from './0010-quotas.ts';
import { up as auditLog } from './0012-audit-log.ts';
import { up as reviewIndex } from './0013-review-index.ts';
import { up as deliveries } from './0014-deliveries.ts';
import { up as metrics } from './0015-metrics.ts';
import { up as segments } from './0016-segments.ts';
import { up as annotations } from './0017-annotations.ts';
import { up as alerts } from './0018-alerts.ts';
import { up as oauth } from './0019-oauth.ts';
import { up as singleSignOn } from './0020-single-sign-on.ts';
import { up as secondFactors } from './0021-second-factors.ts';
import { up as processes } from './0022-processes.ts';
import { up as shortIdentities } from './0023-short-identities.ts';
import { up as sending } from './0024-sending.ts';

/** In the order of their names. A released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001-tenants-and-keys': { up: tenantsAndKeys },
  '0002-dashboards': { up: dashboards },
  '0003-retention': { up: retention },
  '0004-people': { up: people },
  '0005-executions-and-reviews': { up: executionsAndReviews },
  '0006-providers': { up: providers },
  '0007-chats': { up: chats },
  '0008-connectors': { up: connectors },
  '0010-quotas': { up: quotas },
  '0009-sessions': { up: sessions },
  '0012-audit-log': { up: auditLog },
  '0013-review-index': { up: reviewIndex },
  '0014-deliveries': { up: deliveries },
  '0015-metrics': { up: metrics },
  '0016-segments': { up: segments },
  '0017-annotations': { up: annotations },
  '0018-alerts': { up: alerts },
  '0019-oauth': { up: oauth },
  '0020-single-sign-on': { up: singleSignOn },
  '0021-second-factors': { up: secondFactors },
  '0022-processes': { up: processes },
  '0023-short-identities': { up: shortIdentities },
  '0024-sending': { up: sending },
};
