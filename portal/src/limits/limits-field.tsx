import { api } from '../api/client.ts';
import { useKnownEvents } from '../api/events.ts';
import { useSession } from '../api/session.ts';
import { t } from '../language/index.ts';
import { SegmentField } from '../question/fields/known-fields.tsx';
import { FilterRows } from '../question/filters/filter-rows.tsx';
import { eventSuggestions } from '../question/words/choices.ts';
import { type Bound, bind } from '../ui/bind.ts';
import type { Suggestion } from '../ui/combobox.tsx';
import { Folded } from '../ui/folded.tsx';
import { NamesField } from '../ui/names-field.tsx';
import type { LimitsForm, NameList } from './state.ts';
import { heldTo } from './words.ts';

const MAX_NAMES = 200;
const MAX_SUGGESTED = 500;

const LISTS: readonly { list: NameList; one: string; another: string; placeholder: string }[] = [
  { list: 'agents', one: t('Only this agent'), another: t('Or this agent'), placeholder: t('Any agent') },
  { list: 'eventNames', one: t('Only this event'), another: t('Or this event'), placeholder: t('Any event') },
  {
    list: 'vectorStores',
    one: t('Only this vector store'),
    another: t('Or this vector store'),
    placeholder: t('Any store'),
  },
  {
    list: 'connectors',
    one: t('Only this connector'),
    another: t('Or this connector'),
    placeholder: t('Any connector'),
  },
  {
    list: 'models',
    one: t('Only this model'),
    another: t('Or this model'),
    placeholder: t('Any model, or such as gpt-5*'),
  },
];

interface LimitsFieldsProps extends Bound<LimitsForm> {
  /** Precedes the members in the paths of messages: "limits.". */
  path: string;
}

/** The fields of limits, folded. */
export function LimitsField(props: LimitsFieldsProps) {
  const { limits } = useSession();
  return (
    <>
      {limits.length > 0 && <p className="small muted">{`${heldTo(limits)} ${t('It is held to that, too.')}`}</p>}
      <Folded summary={t('Hold it to a part of the tenant')}>{() => <LimitsFields {...props} />}</Folded>
    </>
  );
}

/** The fields of limits. */
export function LimitsFields({ path, ...bound }: LimitsFieldsProps) {
  const field = bind(bound, path);
  const suggestions = useSuggestions();
  const events = useKnownEvents(undefined);
  const { eventNames } = bound.form;
  return (
    <>
      <p className="small muted">{t('What lies outside is as if it did not exist. An empty field limits nothing.')}</p>
      {LISTS.map(({ list, one, another, placeholder }) => (
        <NamesField
          key={list}
          labelOf={(index) => (index === 0 ? one : index === 1 ? another : `${another} (${index + 1})`)}
          maximum={MAX_NAMES}
          suggestions={suggestions[list]}
          placeholder={bound.form[list].length === 0 ? placeholder : ''}
          {...field.value(list)}
        />
      ))}
      <p>{t('Only events that pass these filters')}</p>
      <FilterRows
        {...field.part('filters')}
        of={t('the limits')}
        eventName={eventNames[0] || (events[0]?.eventName ?? '')}
        agent={undefined}
      />
      <SegmentField {...field.value('segment')} />
    </>
  );
}

/** Names that the user may see. */
function useSuggestions(): Record<NameList, Suggestion[]> {
  const { can, isAdministrator } = useSession();
  const params = { query: { limit: MAX_SUGGESTED } };
  const agents = api.useQuery('get', '/api/v1/portal/agents', { params }).data?.agents;
  const stores = api.useQuery(
    'get',
    '/api/v1/runtime/v1/vectors/stores',
    { params },
    { enabled: can('knowledge:read') },
  ).data?.stores;
  const connectors = api.useQuery('get', '/api/v1/portal/connectors', { params }, { enabled: isAdministrator }).data
    ?.connectors;
  return {
    agents: (agents ?? []).map(({ name }) => ({ value: name })),
    eventNames: eventSuggestions(useKnownEvents(undefined)),
    vectorStores: (stores ?? []).map(({ name }) => ({ value: name })),
    connectors: (connectors ?? []).map(({ slug, name }) => ({ value: slug, title: name, detail: slug })),
    models: [],
  };
}
