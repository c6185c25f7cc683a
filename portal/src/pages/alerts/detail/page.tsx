import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { client } from '../../../api/client.ts';
import { messageOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/use-session.ts';
import { Button, classOf } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { ALERTS, type Alert, alertQuery, invalidateAlerts } from '../alerts.ts';
import { StateBadges } from '../state-badge.tsx';
import { Definition } from './definition.tsx';
import type { AlertDialogName } from './dialogs.tsx';
import { History } from './history.tsx';
import { LastCheck } from './last-check.tsx';
import { Values } from './values.tsx';

const AlertDialog = lazy(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/alerts/$id');

/** An alert: its definition, its state, its values and its history. */
export function AlertPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(alertQuery(id));
  if (data) return <Shown key={id} alert={data.alert} />;
  return (
    <>
      <PageHead title="Alert" />
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Loading what="the alert" height={320} />}
    </>
  );
}

function Shown({ alert }: { alert: Alert }) {
  const { id, title, enabled } = alert;
  const { can } = useSession();
  const [dialog, setDialog] = useState<AlertDialogName | null>(null);
  const [isBusy, setBusy] = useState(false);
  const switchTo = async (next: boolean) => {
    setBusy(true);
    const { error } = await client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body: { enabled: next } });
    await invalidateAlerts();
    setBusy(false);
    announce(error ? messageOf(error) : `The alert is switched ${next ? 'on' : 'off'}`);
  };
  return (
    <>
      <PageHead title={title}>
        {can('alerts:write') && (
          <>
            <Button icon="play" onClick={() => setDialog('test')}>
              Test
            </Button>
            <Button disabled={isBusy} onClick={() => void switchTo(!enabled)}>
              {enabled ? 'Switch off' : 'Switch on'}
            </Button>
            <Link className={classOf({})} to="/alerts/$id/edit" params={{ id }}>
              <Icon name="edit" />
              Edit
            </Link>
            <Button look="danger" onClick={() => setDialog('remove')}>
              Remove
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        <div className="row">
          <StateBadges alert={alert} />
          {!enabled && <span className="muted">It is not checked until it is switched on.</span>}
        </div>
        <div className="halves">
          <Definition alert={alert} />
          <LastCheck alert={alert} />
        </div>
        <Values alert={alert} />
        <History alert={alert} />
      </div>
      {dialog && (
        <Suspense>
          <AlertDialog name={dialog} alert={alert} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  );
}
