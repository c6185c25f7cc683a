import { EditDialog, ReadFirst } from '../../../editor/edit-dialog.tsx';
import { t } from '../../../language/index.ts';
import { TextField } from '../../../ui/field.tsx';
import { quotasChanged, readLimits, sendLimits } from './quotas.ts';
import { changesOf, formOf, type Owner, type QuotaName, quotasOf, readAs, WORDS } from './state.ts';

export default function LimitsDialog({ owner, onClose }: { owner: Owner; onClose(): void }) {
  const title = owner.kind === 'tenant' ? t('Limits of the tenant') : t('Limits of {label}', { label: owner.label });
  const names = quotasOf(owner);
  const shared = { title, read: () => readLimits(owner), onClose };
  return (
    <ReadFirst {...shared} kind="limits" id={owner.kind === 'tenant' ? '' : owner.id}>
      {(stored) => (
        <EditDialog
          {...shared}
          description={t('An empty field is no limit, and 0 allows nothing. Changes apply within a second.')}
          stored={stored}
          formOf={formOf}
          wordsOf={(form) => names.map((name) => [labelOf(name), form[name]])}
          paths={names}
          changesOf={(form, before) => changesOf(form, before, owner)}
          send={(body, etag) => sendLimits(owner, body, etag)}
          invalidate={quotasChanged}
          done={t('The limits are saved')}
        >
          {({ form, field }) => (
            <div className="fields">
              {names.map((name) => (
                <TextField
                  key={name}
                  label={labelOf(name)}
                  help={[WORDS[name].help, readAs(name, form[name])].filter(Boolean).join(' ')}
                  inputMode="decimal"
                  autoComplete="off"
                  {...field.text(name)}
                />
              ))}
            </div>
          )}
        </EditDialog>
      )}
    </ReadFirst>
  );
}

function labelOf(name: QuotaName): string {
  const { label, unit } = WORDS[name];
  if (unit === 'bytes') return `${label} (MB)`;
  return unit === 'dollars' ? `${label} (${t('US dollars')})` : label;
}
