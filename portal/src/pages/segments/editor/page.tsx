import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { segmentQuery } from '../../../api/segments.ts';
import { useSession } from '../../../api/session.ts';
import { NotAllowed } from '../../../editor/not-allowed.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { Editor } from './editor.tsx';
import { emptyForm, formOf } from './state.ts';

const editRoute = getRouteApi('/shell/segments/$name/edit');

export function NewSegment() {
  const { can } = useSession();
  if (!can('metrics:write')) return <NotAllowed title="New segment" nouns="segments" />;
  return <Editor start={emptyForm()} segment={null} />;
}

export function EditSegment() {
  const { name } = editRoute.useParams();
  const { can } = useSession();
  const { data, error, refetch } = useQuery(segmentQuery(name));
  if (!can('metrics:write')) return <NotAllowed title="Edit segment" nouns="segments" />;
  if (data) return <Editor key={name} start={formOf(data.segment)} segment={data.segment} />;
  return (
    <>
      <PageHead title="Edit segment" />
      {error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the segment" height={320} />
      )}
    </>
  );
}
