/** The frame of every page, the controls and the pages that need no login. */
export const shell = {
  'Your role is {role}; an administrator can give you another one.':
    'Seu papel é {role}; um administrador pode lhe dar outro.',
  'Only administrators see credentials.': 'Só administradores veem as credenciais.',
};
