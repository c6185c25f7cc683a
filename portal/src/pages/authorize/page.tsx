import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, client } from '../../api/client.ts';
import { statusOf } from '../../api/errors.ts';
import { fieldMessages } from '../../api/field-messages.ts';
import type { Schemas } from '../../api/schemas.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { LimitsField } from '../../limits/limits-field.tsx';
import { limitPaths, limitsFormOf, limitsOf } from '../../limits/state.ts';
import { Alone } from '../../shell/alone.tsx';
import { StepUp } from '../../shell/step-up.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, SelectField } from '../../ui/field.tsx';
import { OtherMessages } from '../../ui/refusal.tsx';
import { ErrorNotice, Loading } from '../../ui/states.tsx';
import { applicationName, identityOf } from '../applications/applications.ts';
import { ScopeChoices } from '../settings/keys/scope-choices.tsx';

const REQUEST = '/api/v1/portal/authorizations/{id}';

type AuthorizationRequest = Schemas['AuthorizationRequest'];
type Scope = AuthorizationRequest['scopes'][number]['scope'];

const route = getRouteApi('/authorize/$id');

/** An application asks for access: the person allows or refuses it. */
export function Authorize() {
  const { id } = route.useParams();
  const { data, error, refetch } = api.useQuery(
    'get',
    REQUEST,
    { params: { path: { id } } },
    { staleTime: Infinity, retry: false },
  );
  return (
    <Alone title={t('Connect an application')} isWide>
      {data && <Request id={id} request={data} />}
      {!data && error === null && <Loading height={280} />}
      {!data && error !== null && <Fault error={error} onRetry={() => void refetch()} />}
      <StepUp />
    </Alone>
  );
}

function Fault({ error, onRetry }: { error: unknown; onRetry(): void }) {
  if (statusOf(error) !== 404) return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <>
      <h1>{t('This request is over')}</h1>
      <p>{t('It was answered already, or has expired. Start again in the application.')}</p>
    </>
  );
}

function Request({ id, request }: { id: string; request: AuthorizationRequest }) {
  const { user, limits: own } = useSession();
  const { client: application, scopes, redirectTo, tenant, defaultDays, maxDays } = request;
  const grantable = scopes.filter((one) => one.grantable).map(({ scope }) => scope);
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(grantable));
  const [days, setDays] = useState(String(defaultDays));
  const [limits, setLimits] = useState(() => limitsFormOf(request.limits ?? own[0]));
  const navigate = useNavigate();
  const useAnother = () => void navigate({ to: '/logout', search: { to: `/authorize/${id}` } });
  const allowed = () => ({
    scopes: grantable.filter((scope) => chosen.has(scope)),
    days: Number(days),
    limits: limitsOf(limits),
  });
  const answer = useMutation({
    mutationFn: async (allows: boolean) => {
      const params = { path: { id } };
      const { continueAt } = await (allows
        ? answerOf(client.POST(`${REQUEST}/allow`, { params, body: allowed() }))
        : answerOf(client.POST(`${REQUEST}/refuse`, { params, body: {} })));
      window.location.assign(continueAt);
      return allows;
    },
  });
  const messages = fieldMessages(answer.error, limitPaths('limits.'));
  const name = applicationName(application);
  // Which program on this computer gets the answer, nobody can verify.
  const isUnsure = application.kind === 'registered' || !redirectTo.startsWith('https:');
  if (answer.isSuccess) return <Answered name={name} allowed={answer.data} />;

  return (
    <Form onSubmit={() => answer.mutate(true)}>
      <h1>{t.nodes('Connect {application}?', { application: <span className="breaking">{name}</span> })}</h1>
      <div className={isUnsure ? 'notice caution' : 'notice'}>
        <span>{identityOf(application)}.</span>
        <span>
          {t.nodes('Its answer goes to {address}.', {
            address: <strong className="breaking">{redirectTo}</strong>,
          })}{' '}
          {isUnsure && t('Go on only if you have just begun to connect it yourself.')}
        </span>
      </div>
      <p>
        {t.nodes('It would act for you, {email}, in the tenant {tenant}.', {
          email: <strong>{user.email}</strong>,
          tenant: <strong>{tenant}</strong>,
        })}
      </p>
      <ScopeChoices legend={t('It could')} scopes={scopes} chosen={chosen} onChoose={setChosen} />
      <SelectField label={t('For how long')} value={days} options={periods(maxDays, defaultDays)} onChoose={setDays} />
      <LimitsField
        form={limits}
        messages={messages}
        path="limits."
        onChange={(members) => setLimits((before) => ({ ...before, ...members }))}
      />
      {answer.error !== null && statusOf(answer.error) !== 400 && <ErrorNotice error={answer.error} />}
      <OtherMessages messages={messages.others} />
      <div className="row">
        <Button type="submit" look="primary" disabled={answer.isPending || chosen.size === 0}>
          {t('Allow')}
        </Button>
        <Button disabled={answer.isPending} onClick={() => answer.mutate(false)}>
          {t('Refuse')}
        </Button>
      </div>
      <p className="small muted">
        {t('You can end its access at any time under Connect › Applications.')}{' '}
        <button type="button" className="text-button" onClick={useAnother}>
          {t('Use another account')}
        </button>
      </p>
    </Form>
  );
}

/** An application on this computer opens beside the page, which stays. */
function Answered({ name, allowed }: { name: string; allowed: boolean }) {
  return (
    <div role="status" className="stack">
      <h1>{allowed ? t('Connected') : t('Refused')}</h1>
      <p>
        {t.nodes('Go on in {application}. You can close this page.', {
          application: <span className="breaking">{name}</span>,
        })}
      </p>
    </div>
  );
}

const PERIODS = [1, 7, 30, 90, 365];

function periods(maxDays: number, defaultDays: number): { value: string; label: string }[] {
  const days = [...new Set([...PERIODS, defaultDays])].filter((one) => one <= maxDays).toSorted((a, b) => a - b);
  return days.map((one) => ({
    value: String(one),
    label: one === 365 ? t('1 year') : t.count(one, '{count} day', '{count} days'),
  }));
}
