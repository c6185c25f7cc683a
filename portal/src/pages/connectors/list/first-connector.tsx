import { useNavigate } from '@tanstack/react-router';
import { CONNECTOR_EXAMPLE } from '../../../../../src/core/agents/connectors/example.ts';
import { t } from '../../../language/index.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { EmptyState, ErrorNotice } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { connectorsChanged, putConnector } from '../connectors.ts';

/** The purpose of a connector, and three ways to the first one. */
export function FirstConnector() {
  const { error, isBusy, run } = useTask();
  const navigate = useNavigate();
  const { slug } = CONNECTOR_EXAMPLE;
  const make = async () => {
    await putConnector(slug, CONNECTOR_EXAMPLE, { 'if-none-match': '*' });
    await connectorsChanged();
    announce(t('The example was made'));
    await navigate({ to: '/connectors/$slug', params: { slug }, search: { view: 'try', resource: 'get-repository' } });
  };
  return (
    <div className="panel">
      <EmptyState title={t('No connector yet')}>
        <p>
          {t(
            'A connector describes an API outside: its address, its credential and its calls. Agents call it as a tool, and see neither the address nor the secret.',
          )}
        </p>
        <div className="row">
          <ButtonLink look="primary" icon="download" to="/connectors/import_openapi">
            {t('Import an OpenAPI document')}
          </ButtonLink>
          <Button icon="play" disabled={isBusy} onClick={() => void run(make)}>
            {t('Make an example')}
          </Button>
        </div>
        <p className="small muted">
          {t('The example has two calls of the public API of GitHub, and mocks that answer without a network.')}
        </p>
        {error !== null && <ErrorNotice error={error} />}
      </EmptyState>
    </div>
  );
}
