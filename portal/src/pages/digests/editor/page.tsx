import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { NotAllowed } from '../../../editor/not-allowed.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { digestQuery } from '../digests.ts';
import { Editor } from './editor.tsx';
import { emptyForm, formOf } from './state.ts';

const newRoute = getRouteApi('/shell/digests/new-digest');
const editRoute = getRouteApi('/shell/digests/$id/edit');

/** `tab` of the address: what is sent. */
export function NewDigest() {
  const { tab } = newRoute.useSearch();
  const { can } = useSession();
  if (!can('alerts:write')) return <NotAllowed title="New digest" nouns="digests" />;
  return <Editor key={tab} start={emptyForm(tab)} digest={null} />;
}

export function EditDigest() {
  const { id } = editRoute.useParams();
  const { can } = useSession();
  const { data, error, refetch } = useQuery({ ...digestQuery(id), refetchInterval: false });
  if (!can('alerts:write')) return <NotAllowed title="Edit digest" nouns="digests" />;
  if (data) return <Editor key={id} start={formOf(data.digest)} digest={data.digest} />;
  return (
    <>
      <PageHead title="Edit digest" />
      {error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the digest" height={320} />
      )}
    </>
  );
}
