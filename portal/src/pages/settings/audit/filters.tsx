import { getRouteApi } from '@tanstack/react-router';
import { t } from '../../../language/index.ts';
import { DateField } from '../../../ui/date-field.tsx';
import { Field } from '../../../ui/field.tsx';
import { AskedField, ClearFilters } from '../../../ui/filters.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { AREAS } from './words.ts';

const route = getRouteApi('/shell/settings/audit');

/** The parameters of the address, as the API takes them. */
export function useFilters() {
  const { actor, action, target, from, to } = route.useSearch();
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(target && { target }),
    ...(from && { dateFrom: from }),
    ...(to && { dateTo: to }),
  };
}

/** A page of another filter begins at the newest line. */
export const FIRST_PAGE = { before: undefined, after: undefined, line: undefined, at: undefined };

const NONE = { actor: undefined, action: undefined, target: undefined, from: undefined, to: undefined };

export function Filters() {
  const { actor, action, target, ...dates } = route.useSearch();
  const setSearch = useSetSearch();
  const isSet = Object.keys(useFilters()).length > 0;
  const dateField = (end: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      value={dates[end] ?? ''}
      onChoose={(date) => setSearch({ [end]: date || undefined, ...FIRST_PAGE })}
    />
  );
  return (
    <search className="fields">
      <AskedField
        label={t('Who')}
        type="search"
        maxLength={320}
        placeholder="ada@example.com"
        help={t('E-mail, label of a key, id, or operator')}
        value={actor ?? ''}
        onAsk={(text) => setSearch({ actor: text, ...FIRST_PAGE })}
      />
      <ActionField value={action ?? ''} />
      {dateField('from', t('From'))}
      {dateField('to', t('Through'))}
      {isSet && (
        <div className="row">
          {target && <span className="small breaking">{t('Only what was done to {target}', { target })}</span>}
          <ClearFilters onClear={() => setSearch({ ...NONE, ...FIRST_PAGE })} />
        </div>
      )}
    </search>
  );
}

function ActionField({ value }: { value: string }) {
  const setSearch = useSetSearch();
  const isKnown = AREAS.some(({ actions, nouns = {} }) => value in actions || value in nouns);
  return (
    <Field label={t('What')}>
      {(props) => (
        <select
          className="input"
          value={value}
          onChange={(event) => setSearch({ action: event.currentTarget.value || undefined, ...FIRST_PAGE })}
          {...props}
        >
          <option value="">{t('Everything')}</option>
          {value !== '' && !isKnown && <option value={value}>{value}</option>}
          {AREAS.map(({ label, nouns = {}, actions }) => (
            <optgroup key={label} label={label}>
              {[...Object.entries(nouns), ...Object.entries(actions)].map(([action, sentence]) => (
                <option key={action} value={action}>
                  {optionOf(sentence)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

/** "Rotated the key" of "{who} rotated the key {target}", without a preposition before the target. */
function optionOf(sentence: string): string {
  const text = sentence.replace(/^\{who\} /, '').replace(/( (for|of|to|de|para))? \{target\}/, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
