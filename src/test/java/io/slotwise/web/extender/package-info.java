/** Tests of the extender's ports. */
@NullMarked
package io.slotwise.web.extender;

import org.jspecify.annotations.NullMarked;
