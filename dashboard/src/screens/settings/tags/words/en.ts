import { pluralEn } from '../../../../words/plural.js';

const links = (count: number): string => `${count} ${pluralEn(count, 'link', 'links')}`;

export const words = {
  heading: 'Tags and folders',
  intro: 'A link can have any number of tags and be in one folder. Visitors see neither.',
  name: 'Name',
  links: 'Links',
  created: 'Created',
  description: 'Description',
  merge: 'Merge',
  save: 'Save',
  hasColor: 'With a colour',
  color: 'Colour',
  showLinks: (count: number, name: string) => `${links(count)} with ${name}`,
  tags: {
    heading: 'Tags',
    add: 'Add tag',
    none: 'No tags yet',
    noneText: 'Tags are also created when you add them to a link.',
    edit: (name: string) => `Edit tag ${name}`,
    merge: (name: string) => `Merge tag ${name}`,
    mergeText: (count: number) => `${links(count)} will get the other tag, and this one is deleted.`,
    into: 'Into',
    mergeSubmit: 'Merge tags',
    merged: 'Merged',
    removeHeading: (name: string) => `Delete the tag ${name}?`,
    removeText: (count: number) => `${links(count)} will lose it. The links themselves stay.`,
    removeSubmit: 'Delete tag',
    keep: 'Keep tag',
  },
  folders: {
    heading: 'Folders',
    add: 'Add folder',
    none: 'No folders yet',
    noneText: 'A folder groups links that belong together.',
    edit: (name: string) => `Edit folder ${name}`,
    removeHeading: (name: string) => `Delete the folder ${name}?`,
    removeText: (count: number) => `${links(count)} will be in no folder. The links themselves stay.`,
    removeSubmit: 'Delete folder',
    keep: 'Keep folder',
  },
};
