import { open } from 'node:fs/promises';

/** Makes the names in the folder, after a rename for example, survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
