/** The experiments on the choice of a site by EMCT and EMET (TOPSIS). */
@NullMarked
package io.slotwise.lab.experiment.topsis;

import org.jspecify.annotations.NullMarked;
