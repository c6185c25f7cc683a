import { api } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import { SETTINGS } from '../sign-on/providers.ts';
import { PasswordLogin } from './password-login.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';
import { SessionsOfAll } from './sessions.tsx';

/** How people log in, and who is in. */
export const Security = forAdministrators(
  t('Security'),
  t('Only administrators see the security of the workspace.'),
  () => (
    <>
      <PageHead title={t('Security')} />
      <div className="stack narrow">
        <Parts />
      </div>
    </>
  ),
);

function Parts() {
  const query = api.useQuery('get', SETTINGS);
  const { data } = query;
  if (!data) return <QueryState query={query} height={440} />;
  return (
    <>
      <SecondFactorRule key={data.secondFactor} stored={data.secondFactor} />
      <PasswordLogin isOn={data.passwordLogin} />
      <SessionsOfAll />
    </>
  );
}
