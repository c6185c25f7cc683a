import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { PageActions, type SendingDialog } from '../../../sending/page-actions.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { ALERTS, type Alert, alertQuery, invalidateAlerts } from '../alerts.ts';
import { StateBadges } from '../state-badge.tsx';
import { Definition, LastCheck } from './facts.tsx';
import { History } from './history.tsx';
import { Values } from './values.tsx';

const AlertDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/alerts/$id');

/** An alert: its definition, its state, its values and its history. */
export function AlertPage() {
  const { id } = route.useParams();
  const query = useQuery(alertQuery(id));
  if (query.data) return <Shown key={id} alert={query.data.alert} />;
  return (
    <>
      <PageHead title="Alert" />
      <QueryState query={query} what="the alert" height={320} />
    </>
  );
}

function Shown({ alert }: { alert: Alert }) {
  const { id, title, enabled, disabledReason = 'It is not checked until it is switched on.' } = alert;
  const [dialog, setDialog] = useState<SendingDialog | null>(null);
  return (
    <>
      <PageHead title={title}>
        <PageActions
          noun="alert"
          stored={alert}
          sendLabel="Test"
          onSwitch={(next) => client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body: { enabled: next } })}
          invalidate={invalidateAlerts}
          onOpen={setDialog}
        />
      </PageHead>
      <div className="stack">
        <div className="row">
          <StateBadges alert={alert} />
          {!enabled && <span className="muted">{disabledReason}</span>}
        </div>
        <div className="halves">
          <Definition alert={alert} />
          <LastCheck alert={alert} />
        </div>
        <Values alert={alert} />
        <History alert={alert} />
      </div>
      {dialog && <AlertDialog name={dialog} alert={alert} onClose={() => setDialog(null)} />}
    </>
  );
}
