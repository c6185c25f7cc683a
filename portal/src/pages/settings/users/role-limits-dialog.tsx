import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { type LimitedRole, roleLabel } from '../../../api/roles.ts';
import { invalidate } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { LimitsFields } from '../../../limits/limits-field.tsx';
import { type LimitsForm, limitPaths, limitsFormOf, limitsOf } from '../../../limits/state.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { SETTINGS } from '../sign-on/providers.ts';

interface RoleLimitsDialogProps {
  role: LimitedRole;
  stored: NonNullable<Schemas['Settings']['roleLimits']>;
  onClose(): void;
}

export default function RoleLimitsDialog({ role, stored, onClose }: RoleLimitsDialogProps) {
  const label = roleLabel(role);
  const path = `roleLimits.${role}.`;
  const save = async (form: LimitsForm) => {
    // Another administrator may have changed another role since the page was loaded.
    const settings = await answerOf(client.GET(SETTINGS));
    const { [role]: _, ...others } = (settings.roleLimits ?? {}) as Record<string, Schemas['Limits']>;
    const limits = limitsOf(form);
    const roleLimits = limits ? { ...others, [role]: limits } : others;
    return answerOf(client.PATCH(SETTINGS, { body: { roleLimits } }));
  };
  return (
    <FormDialog
      title={t('What the role {role} may see', { role: label })}
      description={t(
        'It holds from the next request on, in the portal and for applications that act for these users. Keys that they have made keep what they have.',
      )}
      act={t('Save')}
      start={limitsFormOf(stored[role])}
      paths={limitPaths(path)}
      onSubmit={save}
      invalidate={() => invalidate((one) => one === SETTINGS)}
      done={t('What the role {role} may see is saved', { role: label })}
      onClose={onClose}
    >
      {(bound) => <LimitsFields {...bound} path={path} />}
    </FormDialog>
  );
}
