import type { Translations } from '../../../../src/language/translate.ts';
import { account } from './account.ts';
import { cards } from './cards.ts';
import { chat } from './chat.ts';
import { common } from './common.ts';
import { connect } from './connect.ts';
import { connectors } from './connectors.ts';
import { dashboards } from './dashboards.ts';
import { executions } from './executions.ts';
import { explore } from './explore.ts';
import { firstHour } from './first-hour.ts';
import { help } from './help.ts';
import { knowledge } from './knowledge.ts';
import { login } from './login.ts';
import { metrics } from './metrics.ts';
import { question } from './question.ts';
import { reviews } from './reviews.ts';
import { sending } from './sending.ts';
import { audit } from './settings/audit.ts';
import { credentials } from './settings/credentials.ts';
import { dataSettings } from './settings/data.ts';
import { keys } from './settings/keys.ts';
import { providers } from './settings/providers.ts';
import { quotas } from './settings/quotas.ts';
import { signOn } from './settings/sign-on.ts';
import { system } from './settings/system.ts';
import { users } from './settings/users.ts';
import { shared } from './shared.ts';
import { shell } from './shell.ts';
import { training } from './training.ts';
import { watch } from './watch.ts';

export { charts } from '../../../../src/language/pt/charts.ts';
export { serverText } from './server-texts.ts';

/** Every text of the pages in Portuguese, as it is written in Brazil. */
export const PORTUGUESE = {
  ...account,
  ...cards,
  ...chat,
  ...common,
  ...connect,
  ...connectors,
  ...dashboards,
  ...executions,
  ...explore,
  ...firstHour,
  ...help,
  ...knowledge,
  ...login,
  ...metrics,
  ...question,
  ...reviews,
  ...sending,
  ...audit,
  ...credentials,
  ...dataSettings,
  ...keys,
  ...providers,
  ...quotas,
  ...signOn,
  ...system,
  ...users,
  ...shared,
  ...shell,
  ...training,
  ...watch,
} satisfies Translations;
export type Portuguese = typeof PORTUGUESE;
