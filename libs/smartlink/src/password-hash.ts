import { hash, verify, verifySync } from '@node-rs/argon2';

// OWASP's second recommendation for argon2id (the package's default variant): 19 MiB, 2 passes, 1 lane. The PHC string carries the parameters, so
// they can be raised without touching stored hashes.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Returns the PHC string (`$argon2id$…`) of a link's password. Takes some 30 ms of a libuv thread: bound the callers. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** Returns whether `password` is the one behind `phc`. A damaged hash matches nothing. Takes a libuv thread as hashing does. */
export async function verifyPassword(phc: string, password: string): Promise<boolean> {
  try {
    return await verify(phc, password);
  } catch {
    return false;
  }
}

/** As verifyPassword, in the thread it is called in: one that has nothing else to do for some 30 ms. */
export function verifyPasswordHere(phc: string, password: string): boolean {
  try {
    return verifySync(phc, password);
  } catch {
    return false;
  }
}
