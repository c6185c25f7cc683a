import { IconButton } from '../ui/button.tsx';
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts';

const NEXT: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

export function ThemeSwitch() {
  const theme = useTheme();
  const label = `Theme: ${theme}. Change to ${NEXT[theme]}`;
  return <IconButton icon={theme === 'dark' ? 'moon' : 'sun'} label={label} onClick={() => chooseTheme(NEXT[theme])} />;
}
