package org.junit.platform.launcher;

public class TestPlan {}
