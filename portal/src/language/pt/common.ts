/** Texts that several areas use. */
export const common = {
  Remove: 'Remover',
  Name: 'Nome',
};
