import { z } from "zod";

// The page may not make code out of text: schemas that try it as they are made would each time be refused, and reported.
z.config({ jitless: true });
