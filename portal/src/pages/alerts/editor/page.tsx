import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { NotAllowed } from '../../../editor/not-allowed.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { alertQuery } from '../alerts.ts';
import { Editor } from './editor.tsx';
import { emptyForm, formOf } from './state.ts';

const newRoute = getRouteApi('/shell/alerts/new-alert');
const editRoute = getRouteApi('/shell/alerts/$id/edit');

/** `cardId` and `metric` of the address: what is checked. */
export function NewAlert() {
  const { cardId, metric } = newRoute.useSearch();
  const agent = useAgent();
  const { can } = useSession();
  if (!can('alerts:write')) return <NotAllowed title="New alert" nouns="alerts" />;
  return <Editor key={`${cardId} ${metric}`} start={emptyForm({ cardId, metric, agent })} alert={null} />;
}

export function EditAlert() {
  const { id } = editRoute.useParams();
  const { can } = useSession();
  const { data, error, refetch } = useQuery({ ...alertQuery(id), refetchInterval: false });
  if (!can('alerts:write')) return <NotAllowed title="Edit alert" nouns="alerts" />;
  if (data) return <Editor key={id} start={formOf(data.alert)} alert={data.alert} />;
  return (
    <>
      <PageHead title="Edit alert" />
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Loading what="the alert" height={320} />}
    </>
  );
}
